import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { COMPONENTS } from '../../tools/release/components.ts';
import { makeRelease, type Release } from '../../tools/release/make-release.ts';
import { type LocalRegistry, serveRegistry } from '../../tools/release/registry.ts';
import { type RunStep, stepsUntil } from '../../tools/release/run-step.ts';
import { signRelease, throwAwayKey } from '../../tools/release/sign-release.ts';
import { EXAMPLES } from './chart.ts';

const execute = promisify(execFile);
/** Two installations, two builds and 16 images, on a machine with other load. */
const BOTH_BUILDS_MS = 1_800_000;
const PACKAGE = /^app\/((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\/package\.json$/;

interface BillOfMaterials {
  readonly components: readonly { readonly 'bom-ref': string; readonly type: string; readonly hashes?: unknown }[];
}

let folder: string;
let registry: LocalRegistry;
let crane: string;
let cosign: string;
let first: Release;
let second: Release;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-two-releases-'));
  [crane, cosign] = await Promise.all([findTool('crane'), findTool('cosign')]);
  registry = await serveRegistry(crane, join(folder, 'blobs'));
  first = await release('first', { mask: 0o022, zone: 'UTC' });
  second = await release('second', { mask: 0o077, zone: 'Asia/Tokyo' });
}, BOTH_BUILDS_MS);

afterAll(async () => {
  await registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** @param who file permissions and time zone of the builder */
async function release(name: string, who: { readonly mask: number; readonly zone: string }): Promise<Release> {
  const order = {
    revision: 'HEAD',
    repository: `${registry.host}/${name}`,
    isPlain: true,
    base: undefined,
    builder: 'urn:test:builder',
    folder: join(folder, name),
  };
  const run = stepsUntil(new AbortController().signal);
  const there: RunStep = (command, args, place) =>
    run(command, args, { ...place, environment: { TZ: who.zone, ...place?.environment } });
  const before = process.umask(who.mask);
  try {
    const made = await makeRelease(there, order, () => undefined);
    await signRelease(there, cosign, await throwAwayKey(there, cosign, order.folder.concat('-key')), order.folder);
    return made;
  } finally {
    process.umask(before);
  }
}

const written = (name: string, file: string) => readFile(join(folder, name, file), 'utf8');

describe('two releases of one commit, built separately with different settings', () => {
  it('have images of equal digests, one for each component', () => {
    expect(first.images.map(({ component }) => component)).toEqual([...COMPONENTS]);
    expect(second.images.map(({ digest }) => digest)).toEqual(first.images.map(({ digest }) => digest));
  });

  it('have charts of equal digests', () => {
    expect(second.chart.digest).toBe(first.chart.digest);
  });

  it('have equal bills of materials', async () => {
    for (const file of [
      'notes.md',
      'values-digests.yaml',
      ...COMPONENTS.flatMap((name) => [`${name}.cdx.json`, `${name}.intoto.json`]),
    ]) {
      expect(await written('second', file), file).toBe(await written('first', file));
    }
  });
});

describe('a bill of materials', () => {
  it.each(COMPONENTS)('names every package of image %s', async (component) => {
    const { components } = JSON.parse(await written('first', `${component}.cdx.json`)) as BillOfMaterials;
    const packages = components.filter(({ type }) => type === 'library');
    expect(packages.filter(({ hashes }) => !hashes)).toEqual([]);
    const named = packages.map((one) => one['bom-ref'].split('#')[1] ?? '');
    const image = first.images.find((one) => one.component === component);
    const { stdout } = await execute('sh', ['-c', '"$0" export "$1" - | tar --list', crane, image?.reference ?? ''], {
      maxBuffer: 2 ** 28,
    });
    const installed = stdout.split('\n').flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
    expect(installed.length).toBeGreaterThan(0);
    expect(installed.filter((place) => !named.includes(place))).toEqual([]);
    const bundled = named.filter((place) => !installed.includes(place));
    if (component !== 'site') expect(bundled).toEqual([]);
    else expect(bundled).toEqual(expect.arrayContaining(['node_modules/react', 'node_modules/react-dom']));
  });
});

describe('a pushed release', () => {
  it('is signed, images and chart', async () => {
    const chart = `${first.chart.url.replace('oci://', '')}@${first.chart.digest}`;
    const trust = ['--key', join(folder, 'first', 'cosign.pub'), '--insecure-ignore-tlog'];
    for (const reference of [...first.images.map((image) => image.reference), chart]) {
      await execute(cosign, ['verify', ...trust, reference]);
      await execute(cosign, ['verify-attestation', ...trust, '--type', 'slsaprovenance1', reference]);
    }
    const sums = join(folder, 'first', 'SHA256SUMS');
    await execute(cosign, ['verify-blob', ...trust, '--signature', `${sums}.sig`, sums]);
    const checked = execute('sha256sum', ['--check', '--strict', sums], { cwd: join(folder, 'first') });
    await expect(checked).resolves.toBeDefined();
  });

  it('installs by address and digests', async () => {
    const values = [join(EXAMPLES, 'production.yaml'), join(folder, 'first', 'values-digests.yaml')];
    const { stdout } = await execute(
      await findTool('helm'),
      [
        ...[
          'template',
          'maker',
          first.chart.url,
          '--version',
          first.version,
          '--plain-http',
          '--kube-version',
          '1.33.0',
        ],
        ...values.flatMap((file) => ['--values', file]),
        ...['--set', `image.registry=${registry.host}`, '--set', 'image.repository=first'],
      ],
      { maxBuffer: 2 ** 26 },
    );
    const rendered = new Set([...stdout.matchAll(/image: "?([^\s"]+)/g)].map(([, image]) => image));
    const released = first.images.map(({ reference }) => reference);
    expect([...rendered].filter((image) => !released.includes(image ?? ''))).toEqual([]);
    expect(rendered.size).toBeGreaterThan(5);
  });

  it('has its artefacts as files for mirrors', async () => {
    expect((await readdir(join(folder, 'first'))).sort()).toEqual(
      [
        ...['CHANGELOG.md', 'SHA256SUMS', 'SHA256SUMS.sig', 'chart.txt', 'cosign.pub'],
        ...[`hyperevm-maker-bot-${first.version}.tgz`, 'images', 'images.txt', 'notes.md', 'provenance.json'],
        ...[...COMPONENTS.flatMap((name) => [`${name}.cdx.json`, `${name}.intoto.json`]), 'chart.intoto.json'],
        'values-digests.yaml',
      ].sort(),
    );
    expect(await written('first', 'images.txt')).toBe(first.images.map(({ reference }) => `${reference}\n`).join(''));
  });
});
