/**
 * `npm run release -- --dry-run` makes a release, pushes it to a local registry that stops with the run, and leaves the files in
 * `.release`. `--registry HOST/PATH` pushes to this registry, with the login of `docker login` or `crane auth login`. Both sign with the key
 * `COSIGN_KEY` and its `COSIGN_PASSWORD`; a dry run without a key makes one for a single use. `--unsigned` leaves the signatures to
 * `tools/release/sign.sh .release` on another machine. `--builder` is the builder's URI in the provenance. `--revision` names another commit
 * than HEAD. `--base` names another base image; `--local-runtime` uses this machine's libraries instead, if no registry is reachable.
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
import { signRelease, throwAwayKey } from './sign-release.ts';

await runCommand(async ({ args, signal }) => {
  const { values } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean', default: false },
      registry: { type: 'string' },
      unsigned: { type: 'boolean', default: false },
      revision: { type: 'string', default: 'HEAD' },
      base: { type: 'string', default: DEFAULT_BASE },
      'local-runtime': { type: 'boolean', default: false },
      builder: { type: 'string', default: 'urn:hyperevm-maker-bot:builder:local' },
    },
  });
  const isDry = values['dry-run'];
  if (isDry === Boolean(values.registry)) {
    console.error('✗ pass either --dry-run or --registry HOST/PATH');
    return 1;
  }
  const { COSIGN_KEY, COSIGN_PASSWORD = '' } = process.env;
  const isSigned = !values.unsigned;
  if (isSigned && !isDry && !COSIGN_KEY) {
    console.error('✗ COSIGN_KEY names no key; --unsigned leaves the signatures to tools/release/sign.sh');
    return 1;
  }
  const work = await mkdtemp(join(tmpdir(), 'maker-registry-'));
  const registry = isDry ? await serveRegistry(await findTool('crane'), join(work, 'blobs')) : undefined;
  const folder = join(WORKSPACE_ROOT, '.release');
  const run = stepsUntil(signal);
  try {
    const release = await makeRelease(
      run,
      {
        revision: values.revision,
        repository: registry ? `${registry.host}/hyperevm-maker-bot` : (values.registry as string),
        isPlain: registry !== undefined,
        builder: values.builder,
        base: values['local-runtime'] ? undefined : values.base,
        folder,
      },
      (line) => console.log(`✓ ${line}`),
    );
    if (isSigned) {
      const cosign = await findTool('cosign');
      const key = COSIGN_KEY ? { key: COSIGN_KEY, password: COSIGN_PASSWORD } : await throwAwayKey(run, cosign, work);
      await signRelease(run, cosign, key, folder);
      console.log('✓ signatures');
    }
    console.log(`✓ .release: ${release.chart.url} ${release.version}, ${release.chart.digest}`);
    return 0;
  } finally {
    await registry?.stop();
    await rm(work, { recursive: true, force: true });
  }
});
