import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { judgeFile } from './judge-file.ts';

const SHAPES = 'libs/chain/src/shapes/';
const REGISTRY = `${SHAPES}registry.ts`;
/** Entries are data, and each has its shape. */
const ENTRIES = 'libs/chain/src/exchanges/exchanges.ts';
/** The local chain has folders of the same names: its venues have entries, and its tokens trade on venues. */
const LOCAL_STACK = 'libs/local-stack/';
const LOCAL_VENUES = `${LOCAL_STACK}src/chain/venues/`;

const CODE = ['apps/*/src/**/*.{ts,tsx}', 'libs/*/src/**/*.{ts,tsx}', 'tools/**/*.{ts,mjs}', 'tests/support/**/*.ts'];
const NOT_JUDGED = /\.(spec|fixture)\.tsx?$|(^|\/)(dist|node_modules)\//;

/** Names of all shapes of exchange: each has a folder of its name. */
export function shapesOf(root: string): readonly string[] {
  return globSync('*/', { cwd: join(root, SHAPES) }).map((folder) => folder.replaceAll(sep, ''));
}

/** What the workspace's code does with shapes outside of their folders, a sentence for each. */
export function judgeWorkspace(root: string): string[] {
  const shapes = shapesOf(root);
  const homes = [...shapes.map((shape) => `${SHAPES}${shape}/`), LOCAL_VENUES, ENTRIES];
  return globSync(CODE, { cwd: root })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => !NOT_JUDGED.test(path) && !homes.some((home) => path.startsWith(home)))
    .sort()
    .flatMap((path) => {
      const mayImport = path === REGISTRY || path.startsWith(LOCAL_STACK);
      return judgeFile({ path, text: readFileSync(join(root, path), 'utf8'), mayImport }, shapes);
    });
}
