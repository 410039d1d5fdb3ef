/**
 * `npm run release -- --dry-run`: makes everything a release is, pushes it to a registry of this machine's own that ends with the run,
 * and leaves the files in `.release`. `--registry HOST/PATH` pushes there, as whom `docker login` or `crane auth login` says.
 * All that is pushed is signed: by the key that `COSIGN_KEY` names (a file, `env://VARIABLE`, or one of a KMS) with `COSIGN_PASSWORD`, and in a dry run
 * without one by a key that is used once. `--builder` is who builds, for the provenance. `--revision` names another commit than HEAD. `--base` names another base image; `--local-runtime` takes this machine's libraries in
 * its place, where no registry can be reached.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand, WORKSPACE_ROOT } from '@maker/local-stack/command';
import { findTool } from '../go-tool.ts';
import { DEFAULT_BASE, makeRelease } from './make-release.ts';
import { serveRegistry } from './registry.ts';
import { stepsUntil } from './run-step.ts';

await runCommand(async ({ args, signal }) => {
  const { values } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean', default: false },
      registry: { type: 'string' },
      revision: { type: 'string', default: 'HEAD' },
      base: { type: 'string', default: DEFAULT_BASE },
      'local-runtime': { type: 'boolean', default: false },
      builder: { type: 'string', default: 'urn:hyperevm-maker-bot:builder:local' },
    },
  });
  const isDry = values['dry-run'];
  if (isDry === Boolean(values.registry)) {
    console.error('✗ either --dry-run, or --registry HOST/PATH');
    return 1;
  }
  const { COSIGN_KEY, COSIGN_PASSWORD = '' } = process.env;
  if (!isDry && !COSIGN_KEY) {
    console.error('✗ COSIGN_KEY names no key: what nobody can verify is no release');
    return 1;
  }
  const blobs = await mkdtemp(join(tmpdir(), 'maker-registry-'));
  const registry = isDry ? await serveRegistry(await findTool('crane'), blobs) : undefined;
  try {
    const release = await makeRelease(
      stepsUntil(signal),
      {
        revision: values.revision,
        repository: registry ? `${registry.host}/hyperevm-maker-bot` : (values.registry as string),
        isPlain: registry !== undefined,
        key: COSIGN_KEY ? { key: COSIGN_KEY, environment: { COSIGN_PASSWORD } } : undefined,
        builder: values.builder,
        base: values['local-runtime'] ? undefined : values.base,
        folder: join(WORKSPACE_ROOT, '.release'),
      },
      (line) => console.log(`✓ ${line}`),
    );
    console.log(`✓ .release: ${release.chart.url} ${release.version}, ${release.chart.digest}`);
    return 0;
  } finally {
    await registry?.stop();
    await rm(blobs, { recursive: true, force: true });
  }
});
