import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { findTool, GO_TOOLS } from '../../tools/go-tool.ts';
import { checkOut, type Sources } from '../../tools/release/check-out.ts';
import { makeChart } from '../../tools/release/make-chart.ts';
import { findProvenance, type Provenance } from '../../tools/release/provenance.ts';
import type { LocalRegistry } from '../../tools/release/registry.ts';
import { type RunStep, stepsUntil } from '../../tools/release/run-step.ts';
import { type SigningKey, signRelease, throwAwayKey } from '../../tools/release/sign-release.ts';
import { CHART, parseObjects, REQUIRED } from './chart.ts';
import { startOciRegistry } from './oci-registry.ts';

const execute = promisify(execFile);
const run = stepsUntil(new AbortController().signal);
const WORKSPACE = join(CHART, '..', '..');
const BUILDER = 'https://forge.example.com/maker/actions';

let folder: string;
let registry: LocalRegistry;
let helm: string;
let crane: string;
let cosign: string;
let sources: Sources;
let chart: { readonly reference: string; readonly digest: string; readonly version: string };
let provenance: Provenance;
let key: SigningKey;
let other: SigningKey;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-registry-release-'));
  [helm, crane, cosign] = await Promise.all([findTool('helm'), findTool('crane'), findTool('cosign')]);
  registry = await startOciRegistry();
  sources = await checkOut(run, 'HEAD', join(folder, 'sources'));
  const repository = `${registry.host}/hyperevm-maker-bot/charts`;
  const pushed = await makeChart(run, { helm, repository, folder: join(folder, 'chart'), isPlain: true }, sources);
  const reference = `${pushed.url.replace('oci://', '')}@${pushed.digest}`;
  chart = { reference, digest: pushed.digest, version: pushed.version };
  provenance = await findProvenance(run, sources, { builder: BUILDER, base: undefined, crane });
  await mkdir(join(folder, 'keys'));
  key = await throwAwayKey(run, cosign, folder);
  other = await throwAwayKey(run, cosign, join(folder, 'keys'));
  await mkdir(file('release'));
  await writeFile(file('release/images.txt'), '');
  await writeFile(file('release/chart.txt'), `${chart.reference}\n`);
  await writeFile(file('release/provenance.json'), JSON.stringify(provenance));
  await signRelease(run, cosign, key, file('release'));
}, 900_000);

afterAll(async () => {
  await registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => join(folder, name);
const trusting = (publicKey: string) => ['--key', publicKey, '--insecure-ignore-tlog'];
const verify = (command: string, args: string[], publicKey = file('release/cosign.pub')) =>
  execute(cosign, [command, ...trusting(publicKey), ...args], { maxBuffer: 2 ** 26 });

describe('a pushed release', () => {
  it('is signed by the published key', async () => {
    await expect(verify('verify', [chart.reference])).resolves.toBeDefined();
    const stranger = other.key.replace(/key$/, 'pub');
    await expect(verify('verify', [chart.reference], stranger)).rejects.toThrow(/invalid signature|no matching/);
  });

  it('carries its provenance', async () => {
    const { stdout } = await verify('verify-attestation', ['--type', 'slsaprovenance1', chart.reference]);
    const { payload } = JSON.parse(stdout);
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString());
    expect(statement).toMatchObject({
      predicateType: 'https://slsa.dev/provenance/v1',
      subject: [{ digest: { sha256: chart.digest.replace('sha256:', '') } }],
      predicate: { buildDefinition: { externalParameters: { revision: sources.commit } } },
    });
    expect(statement.predicate.runDetails.builder.id).toBe(BUILDER);
    const materials = provenance.buildDefinition.resolvedDependencies.map(({ name }) => name);
    expect(materials).toEqual(['source', 'package-lock.json', 'node']);
  });

  it('has the same digest from every machine', async () => {
    const elsewhere: RunStep = (command, args, place) =>
      run(command, args, { ...place, environment: { TZ: 'Asia/Tokyo', ...place?.environment } });
    const place = { helm, repository: `${registry.host}/elsewhere`, folder: join(folder, 'elsewhere'), isPlain: true };
    expect((await makeChart(elsewhere, place, sources)).digest).toBe(chart.digest);
  });

  it('fails verification without a signature', async () => {
    const copy = `${registry.host}/elsewhere/chart:unsigned`;
    await execute(crane, ['copy', chart.reference, copy]);
    await expect(verify('verify', [copy])).rejects.toThrow(/no signatures found/);
  });

  it('detects a changed file by signed sums', async () => {
    const sums = file('release/SHA256SUMS');
    const signature = ['--signature', `${sums}.sig`, sums];
    const check = () => execute('sha256sum', ['--check', '--strict', sums], { cwd: file('release') });
    await expect(verify('verify-blob', signature)).resolves.toBeDefined();
    await expect(check()).resolves.toBeDefined();
    await writeFile(file('release/chart.txt'), 'another chart\n');
    await expect(check()).rejects.toThrow(/did NOT match/);
    await writeFile(sums, 'other sums\n');
    await expect(verify('verify-blob', signature)).rejects.toThrow(/invalid signature/);
  });

  it('installs by the README’s line', async () => {
    const readme = await readFile(join(CHART, 'README.md'), 'utf8');
    const [line = ''] = /helm install maker oci:.*/.exec(readme) ?? [];
    const [, ...args] = line.replaceAll('registry.example.com', registry.host).split(' ');
    await writeFile(file('values.yaml'), stringify({ ...REQUIRED, image: { registry: registry.host } }));
    await writeFile(file('values-digests.yaml'), stringify({ job: { image: { digest: chart.digest } } }));
    // There is no cluster, so the test renders instead of installing. The registry is on this machine.
    const here = args.map((argument) => (argument === 'install' ? 'template' : argument));
    const { stdout: manifest } = await execute(helm, [...here, '--kube-version', '1.35.0', '--plain-http'], {
      cwd: folder,
      maxBuffer: 2 ** 26,
    });
    const job = parseObjects(manifest).find(
      ({ kind, metadata }) => kind === 'Deployment' && /-job$/.test(metadata.name),
    );
    const [{ image }] = job?.spec.template.spec.containers ?? [];
    expect(image).toBe(`${registry.host}/hyperevm-maker-bot/job@${chart.digest}`);
    expect(args).toContain(chart.version);
  });
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

describe('.github/workflows/release.yaml', () => {
  const jobs = async (): Promise<Record<'build' | 'sign', { readonly steps: readonly Step[] }>> =>
    parse(await readFile(join(WORKSPACE, '.github/workflows/release.yaml'), 'utf8')).jobs;

  it('builds without a signing key', async () => {
    const { build } = await jobs();
    expect(build.steps.some((step) => step.run?.startsWith('npm run release -- --unsigned '))).toBe(true);
    expect(JSON.stringify(build)).not.toContain('COSIGN');
  });

  it('signs with no third-party code except cosign', async () => {
    const { sign } = await jobs();
    expect(sign.steps.filter(({ uses }) => uses)).toEqual([]);
    expect(sign.steps.filter(({ run = '' }) => /\b(npm|npx|node|curl|pip)\b/.test(run))).toEqual([]);
    const installed = sign.steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/go install (\S+)/g)].map(([, one]) => one),
    );
    expect(installed).toEqual([`${GO_TOOLS.cosign.module}@${GO_TOOLS.cosign.version}`]);
    const keyed = sign.steps.filter(({ env = {} }) => Object.keys(env).some((name) => name.startsWith('COSIGN_')));
    expect(keyed.map(({ run }) => run)).toEqual(['sh sign.sh .release']);
  });

  it('shows the files that releasing.md lists', async () => {
    const shown = JSON.stringify(await jobs());
    const releasing = await readFile(join(WORKSPACE, 'docs/releasing.md'), 'utf8');
    for (const [, name = ''] of shown.matchAll(/\.release\/([\w.-]*\w)/g)) expect(releasing, name).toContain(name);
  });
});
