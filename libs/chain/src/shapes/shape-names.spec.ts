import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SHAPES } from './registry.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const KINDS = SHAPES.map(({ kind }) => kind).sort();

it('each registered shape has a folder of its name (docs/adr/0076)', () => {
  const folders = globSync('*/', { cwd: import.meta.dirname });
  expect(folders.map((folder) => folder.replace('/', '')).sort()).toEqual(KINDS);
});

it('only its own folder names a shape (docs/adr/0076)', () => {
  const name = new RegExp(`['"\`/](${KINDS.join('|')})['"\`/]`);
  // The registry and the entries; the local chain has folders of the same names.
  const homes = /^libs\/(chain\/src\/(shapes\/([\w-]+\/|registry\.ts)|exchanges\/exchanges\.ts)|local-stack\/)/;
  const files = globSync(['{apps,libs}/*/src/**/*.{ts,tsx}', 'tools/**/*.ts', 'tests/support/**/*.ts'], { cwd: ROOT });
  const code = files.filter((file) => !homes.test(file) && !/\.(spec|fixture)\.tsx?$|node_modules/.test(file));
  expect(code.length).toBeGreaterThan(500);
  expect(code.filter((file) => name.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
