import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const LINK = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'], {
  cwd: ROOT,
})
  .toString()
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, '');
const textOf = (path: string) => withoutCode(readFileSync(path, 'utf8'));

/** Anchors of a page's headings, as GitHub and VitePress name them. */
function anchorsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('every link leads to a file and heading', () => {
  expect(pages.length).toBeGreaterThan(100);
  const dead = pages.flatMap((page) =>
    [...textOf(join(ROOT, page)).matchAll(LINK)].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
      if (!existsSync(target)) return [`${page}: ${link}`];
      const isLost = anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
      return isLost ? [`${page}: ${link}`] : [];
    }),
  );
  expect(dead).toEqual([]);
});
