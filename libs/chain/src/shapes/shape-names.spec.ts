import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SHAPES } from './registry.ts';

// Who may know a shape: `tools/shapes`, part of `npm run lint`.
it('each registered shape has a folder of its name (docs/adr/0076)', () => {
  const folders = globSync('*/', { cwd: import.meta.dirname });
  expect(folders.map((folder) => folder.replace('/', '')).sort()).toEqual(SHAPES.map(({ kind }) => kind).sort());
});
