import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHAPES } from './registry.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const NOT_SHIPPED = /\.(spec|fixture)\.tsx?$|\/(dist|node_modules)\//;
/** Entries of the registry are data; a venue of the local chain has an entry. */
const ENTRIES = ['libs/chain/src/exchanges/exchanges.ts', 'libs/local-stack/src/chain/venues/'];
const SHAPES_FOLDER = 'libs/chain/src/shapes/';

const sources = globSync('{apps,libs}/*/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !NOT_SHIPPED.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const kinds = SHAPES.map(({ kind }) => kind);

describe('a shape of exchange (docs/adr/0076)', () => {
  it.each(kinds)('%s is named in its own folder and in entries only', (kind) => {
    const home = `${SHAPES_FOLDER}${kind}/`;
    const elsewhere = sources.filter(
      ({ path, text }) =>
        ![home, ...ENTRIES].some((place) => path.startsWith(place)) && new RegExp(`['"\`]${kind}['"\`]`).test(text),
    );
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });

  it.each(kinds)('%s is imported by the registry and by itself only', (kind) => {
    const home = `${SHAPES_FOLDER}${kind}/`;
    const importers = sources.filter(
      ({ path, text }) =>
        !path.startsWith(home) && new RegExp(`from '[^']*shapes/${kind}/|from '\\.{1,2}/${kind}/`).test(text),
    );
    // The local chain has folders of the same names.
    const own = importers.filter(({ path }) => !path.startsWith('libs/local-stack/'));
    expect(own.map(({ path }) => path)).toEqual([`${SHAPES_FOLDER}registry.ts`]);
  });

  it('has one folder for each line of the registry', () => {
    const folders = globSync('*/', { cwd: join(ROOT, SHAPES_FOLDER) });
    expect(folders.map((folder) => folder.replace('/', '')).sort()).toEqual([...kinds].sort());
  });
});
