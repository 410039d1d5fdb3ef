import { ok } from 'node:assert';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { stringify } from 'yaml';
import { findTool } from '../../../tools/go-tool.ts';
import { DEFAULT_BASE, makeRelease, type ReleaseOrder } from '../../../tools/release/make-release.ts';
import { stepsUntil } from '../../../tools/release/run-step.ts';
import { signRelease, throwAwayKey } from '../../../tools/release/sign-release.ts';
import { CHART } from '../chart.ts';
import { startOciRegistry } from '../oci-registry.ts';
import { show } from './command.ts';
import { isOffline } from './images.ts';
import { createPaidJob, expectCompleted } from './jobs.ts';
import { helm, kubectl, RELEASE } from './kubernetes.ts';
import type { Installation } from './product.ts';
import { begin } from './steps.ts';

const README = join(CHART, 'README.md');

/** Words of a line in the README. @throws AssertionError if it is missing */
async function readmeLine(start: string, host: string): Promise<string[]> {
  const text = await readFile(README, 'utf8');
  const [line] = new RegExp(`${start}[^\`\\n]*`).exec(text) ?? [];
  ok(line, `the README has no line with ${start}`);
  return line.replace(/\.$/, '').replaceAll('registry.example.com', host).split(' ');
}

/** Builds and pushes a release, and installs it by the lines of the chart README. @param host of the registry, also for nodes */
export async function runRegistry(installation: Installation, host: string): Promise<void> {
  begin(`a release of the last commit is pushed to ${host}`);
  const work = await mkdtemp(join(tmpdir(), 'maker-release-'));
  const folder = join(work, 'release');
  const registry = await startOciRegistry(host);
  try {
    const order: ReleaseOrder = {
      revision: 'HEAD',
      repository: `${registry.host}/hyperevm-maker-bot`,
      isPlain: true,
      base: isOffline() ? undefined : DEFAULT_BASE,
      builder: 'urn:hyperevm-maker-bot:builder:cluster',
      folder,
    };
    const steps = stepsUntil(new AbortController().signal);
    const release = await makeRelease(steps, order, (line) => console.log(`✓ ${line}`));
    const cosign = await findTool('cosign');
    await signRelease(steps, cosign, await throwAwayKey(steps, cosign, work), folder);

    begin('helm install by the README’s line, with the digests of the release');
    await installation.prepareVolumes();
    const image = { registry: registry.host, repository: 'hyperevm-maker-bot', tag: '' };
    await writeFile(join(folder, 'values.yaml'), stringify(installation.values({ image })));
    const [, ...verify] = await readmeLine('cosign verify --key', host);
    await show(cosign, verify, folder);
    const [, ...install] = await readmeLine('helm install maker oci:', host);
    // The registry runs on this machine without TLS.
    await show(await findTool('helm'), [...install, '--plain-http'], folder);
    console.log(await kubectl(['get', 'pods']));
    const images = await kubectl(['get', 'pods', '--output', 'jsonpath={.items[*].spec.containers[*].image}']);
    for (const component of ['api-gateway', 'job', 'maker-executor', 'site']) {
      const reference = release.images.find((one) => one.component === component)?.reference ?? '';
      ok(reference !== '' && images.includes(reference), `${component} does not run ${reference}`);
    }

    begin('helm test by the README’s line, and a whole job');
    const [, ...test] = await readmeLine('helm test maker', host);
    await show(await findTool('helm'), test, WORKSPACE_ROOT);
    await expectCompleted(installation.product, await createPaidJob(installation.product));
    await helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  } finally {
    await registry.stop();
    await rm(work, { recursive: true, force: true });
  }
}
