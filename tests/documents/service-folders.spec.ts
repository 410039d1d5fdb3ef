import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';

const TABLE = 'folders of `src`';

const pages = globSync('{apps,libs}/*/README.md', { cwd: WORKSPACE_ROOT })
  .map((page) => ({ page, text: readFileSync(join(WORKSPACE_ROOT, page), 'utf8') }))
  .filter(({ text }) => text.includes(TABLE));

/** Folders in the second column of the table. */
function foldersOf(text: string): string[] {
  const table = text.slice(text.indexOf(TABLE)).split('\n\n', 1)[0] ?? '';
  const cells = table.split('\n').map((row) => row.split('|')[2] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, folder]) => folder ?? '')).sort();
}

it.each(pages)('$page lists each folder of the service', ({ page, text }) => {
  const entries = readdirSync(join(WORKSPACE_ROOT, dirname(page), 'src'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(foldersOf(text)).toEqual(folders.sort());
});
