import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';

const NOT_CLASSES = /:global\([^)]*\)|url\([^)]*\)|\/\*.*?\*\/|\d*\.\d+/gs;
const IMPORT = /import (?:\* as (?<all>\w+)|\{ (?<some>[^}]*) \}) from '(?<file>[^']+\.module\.css)'/g;

const find = (pattern: string) => globSync(pattern, { cwd: WORKSPACE_ROOT }).map((file) => join(WORKSPACE_ROOT, file));

/** Classes that components use, by the file of their styles. */
function namedClasses(): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const component of find('apps/*/src/**/*.tsx')) {
    const text = readFileSync(component, 'utf8');
    for (const { groups: { all, some = '', file = '' } = {} } of text.matchAll(IMPORT)) {
      const styles = resolve(dirname(component), file);
      const names = all
        ? [...text.matchAll(new RegExp(`\\b${all}\\.(\\w+)`, 'g'))].map(([, name = '']) => name)
        : some.split(',').map((name) => name.trim());
      named.set(styles, new Set([...(named.get(styles) ?? []), ...names]));
    }
  }
  return named;
}

it('has exactly the classes that components use', () => {
  const named = namedClasses();
  expect(named.size).toBeGreaterThan(0);
  for (const styles of find('apps/*/src/**/*.module.css')) {
    const css = readFileSync(styles, 'utf8').replace(NOT_CLASSES, '');
    const defined = new Set([...css.matchAll(/\.([a-z]\w*)/gi)].map(([, name = '']) => name));
    expect([...defined].sort(), styles).toEqual([...(named.get(styles) ?? [])].sort());
  }
});
