import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// npm run test:mutation [-- parts of paths ...]: mutates code that decides about money. Fails below the threshold of stryker.config.json.

const ROOT = join(import.meta.dirname, '..', '..');
const CONFIGURATION = join(import.meta.dirname, 'stryker.config.json');
const parts = process.argv.slice(2);

const { mutate } = JSON.parse(readFileSync(CONFIGURATION, 'utf8')) as { mutate: readonly string[] };
const excluded = mutate.filter((pattern) => pattern.startsWith('!'));
const listed = globSync(
  mutate.filter((pattern) => !pattern.startsWith('!')),
  { cwd: ROOT, exclude: excluded.map((pattern) => pattern.slice(1)) },
);
// A file that the configuration does not list is mutated only by its own name.
const wanted = parts.flatMap((part) => {
  const inPath = listed.filter((file) => file.includes(part));
  return inPath.length > 0 ? inPath : [`**/*${part.split('/').at(-1)}*.ts`, ...excluded];
});
// Stryker splits patterns at commas, also inside braces.
const chosen = parts.length > 0 ? ['--mutate', wanted.join(',')] : [];

/** This command installs its packages, which find the workspace's Vitest in a parent folder. */
const STRYKER = join(import.meta.dirname, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const { status } = spawnSync(process.execPath, [STRYKER, 'run', CONFIGURATION, ...chosen], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exit(status ?? 1);
