import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, where the site's sources begin. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Markdown files that are not pages: the site has its own first page. */
export const NOT_PAGES = [
  'README.md',
  '.github/**',
  '.release/**',
  '.stack/**',
  'docs/.vitepress/**',
  '**/test-results/**',
];

/** Path of a page on the site: `docs/keys.md` is `keys.md`, `apps/job/README.md` is `apps/job/index.md`. */
export function siteFile(file: string): string {
  const page = file.replace(/^docs\//, '');
  if (page === 'CONTRIBUTING.md') return 'contributing.md';
  return page.replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Title of a page: its first heading. */
export function titleOf(file: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  return (title ?? basename(file, '.md')).replaceAll('`', '');
}

/** A link of a repository's page as the site shows it: another page, or no link at all for a source file. */
export type SiteLink = { readonly page: string } | 'source';

/**
 * @param from page with the link, relative to the repository
 * @param href relative link without scheme
 * @throws Error when the file is missing
 */
export function siteLink(from: string, href: string): SiteLink {
  const [path = '', hash] = href.split('#');
  const target = relative(ROOT, resolve(ROOT, dirname(from), decodeURI(path)))
    .split(sep)
    .join(posix.sep);
  if (!existsSync(join(ROOT, target))) throw new Error(`${from}: dead link ${href}`);
  const page = [target, posix.join(target, 'README.md')].find(
    (file) => file.endsWith('.md') && existsSync(join(ROOT, file)),
  );
  // These folders have no page of their own: their first page has the list beside it.
  if (target === 'docs/adr' || target === 'docs/runbooks') {
    const [first = ''] = readdirSync(join(ROOT, target)).sort();
    return { page: `/${siteFile(`${target}/${first}`)}` };
  }
  if (page === undefined) return 'source';
  const address = page === 'README.md' ? '/' : `/${siteFile(page)}`;
  return { page: hash === undefined ? address : `${address}#${hash}` };
}
