import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'threats.md'), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: ROOT,
})
  .toString()
  .split('\n');

/** Cells of each row that has a column named 'test', and the text of that cell. */
const rows = page.split('\n\n').flatMap((block) => {
  const [header = '', , ...lines] = block
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll('|', '').trim()));
  const column = [...header].indexOf('test');
  return column < 0 ? [] : lines.map((cells) => [cells[0] ?? '', cells[column] ?? ''] as const);
});

describe('a row of docs/threats.md', () => {
  it.each(rows)('"%s" names tests that exist', (_what, cell) => {
    const names = [...cell.matchAll(/`([\w-]+(?:\.[\w-]+)*)`/g)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !files.some((path) => path.includes(name)))).toEqual([]);
  });
});
