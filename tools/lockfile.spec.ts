import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';

interface LockedPackage {
  link?: true;
  integrity?: string;
  dev?: true;
}

/** Lockfiles with a few packages; each other one has hundreds. */
const SMALL = /^(libs|tools)\/|^tests\/(bench|deploy|published)\/package-lock/;

/** The workspace's lockfile, and those for packages that only some commands need. */
const LOCKFILES = globSync('{,docs/.vitepress/,{libs,tests,tools}/**/}package-lock.json', {
  cwd: WORKSPACE_ROOT,
  exclude: (path) => path.includes('node_modules'),
});

it.each(LOCKFILES)('%s fixes the content of every package', async (path) => {
  const lockfile = JSON.parse(await readFile(join(WORKSPACE_ROOT, path), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const installed = Object.entries(lockfile.packages).filter(
    ([path, locked]) => path.includes('node_modules/') && !locked.link,
  );
  expect(installed.length).toBeGreaterThan(SMALL.test(path) ? 20 : 100);
  const open = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  expect(open.map(([path]) => path)).toEqual([]);
});

it('keeps contracts under the GPL out of releases', async () => {
  const { packages } = JSON.parse(await readFile(join(WORKSPACE_ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const contracts = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/@cryptoalgebra/'));
  expect(contracts.length).toBeGreaterThan(0);
  expect(contracts.filter(([, { dev }]) => !dev)).toEqual([]);
});
