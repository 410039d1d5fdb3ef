import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it, onTestFinished } from 'vitest';
import { neededBy } from '../../docker/production-packages.mjs';
import { licencesPage, shippedPackages } from './licences-page.ts';

/** Licences that require only their notice; OFL-1.1 is of a font. */
const PERMISSIVE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|OFL-1\.1)$/;

it('ships only packages with permissive licences', () => {
  const packages = shippedPackages();
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter(({ licence }) => !PERMISSIVE.test(licence))).toEqual([]);
});

it('ships none of Uniswap’s contracts', () => {
  expect(shippedPackages().filter(({ name }) => name.startsWith('@uniswap/'))).toEqual([]);
});

it('lists the licences of what ships', async () => {
  await expect(licencesPage()).toMatchFileSnapshot(join(WORKSPACE_ROOT, 'docs', 'licences.md'));
});

it('reports missing data of a linked package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'maker-linked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, linked] = [join(folder, 'root'), join(folder, 'linked')];
  const packageAt = (directory: string, name: string, dependency: string) => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, dependencies: { [dependency]: '1' } }));
  };
  packageAt(join(root, 'app'), 'app', 'linked');
  packageAt(linked, 'linked', 'absent');
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(linked, join(root, 'node_modules', 'linked'));
  expect(() => neededBy(root, 'app')).toThrow('linked needs absent, which is not installed');
});
