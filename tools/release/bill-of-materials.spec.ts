import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { billOfMaterials } from './bill-of-materials.ts';

const INTEGRITY = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const LOCKED = {
  'node_modules/one': { version: '1.2.3', license: 'MIT', integrity: INTEGRITY },
  'node_modules/one/node_modules/@scope/two': { version: '2.0.0', license: 'WTFPL-ish', integrity: INTEGRITY },
  'node_modules/drawn': { version: '3.0.0', license: 'MIT', integrity: INTEGRITY },
  'node_modules/never-shipped': { version: '9.9.9', license: 'MIT', integrity: INTEGRITY },
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-bill-'));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: LOCKED }));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const sources = () => ({ folder, commit: 'c0ffee', version: '0.1.0', committedAt: 1_700_000_000 });

/** Makes a tree with packages. */
async function treeOf(places: readonly string[], bundled: readonly string[] = []) {
  const tree = join(folder, 'tree');
  for (const place of places) {
    await mkdir(join(tree, place), { recursive: true });
    await writeFile(join(tree, place, 'package.json'), '{}');
  }
  return { component: 'site' as const, folder: tree, bundled: new Set(bundled) };
}

it('names exactly the bundled packages of the lockfile', async () => {
  const places = ['node_modules/one', 'node_modules/one/node_modules/@scope/two'];
  const tree = await treeOf(places, ['node_modules/drawn']);
  const text = await billOfMaterials(tree, sources());
  const bill = JSON.parse(text);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: { name: 'site' } } });
  const packages = bill.components.filter(({ type }: { type: string }) => type === 'library');
  expect(packages.map(({ purl }: { purl: string }) => purl)).toEqual([
    'pkg:npm/%40scope/two@2.0.0',
    'pkg:npm/drawn@3.0.0',
    'pkg:npm/one@1.2.3',
  ]);
  expect(packages[2]).toMatchObject({
    hashes: [{ alg: 'SHA-512', content: '07'.repeat(64) }],
    licenses: [{ license: { id: 'MIT' } }],
  });
  expect(await billOfMaterials(tree, sources())).toBe(text);
});

it('rejects a package missing from the lockfile', async () => {
  const tree = await treeOf(['node_modules/stranger']);
  await expect(billOfMaterials(tree, sources())).rejects.toThrow('node_modules/stranger');
});
