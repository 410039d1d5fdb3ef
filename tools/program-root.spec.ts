import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeProgramRoot } from './program-root.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-root-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** File modes in a root that was made with a given umask. */
async function rightsUnder(mask: number): Promise<Record<string, string>> {
  const root = join(folder, mask.toString(8));
  const before = process.umask(mask);
  try {
    await makeProgramRoot(process.execPath, root);
  } finally {
    process.umask(before);
  }
  const paths = ['.', ...(await readdir(root, { recursive: true }))];
  const rights = paths.map(async (path) => [path, (await stat(join(root, path))).mode.toString(8)] as const);
  return Object.fromEntries((await Promise.all(rights)).sort());
}

it('has equal rights for any builder', async () => {
  const rights = await rightsUnder(0o022);
  expect(rights).toMatchObject({ '.': '40755', tmp: '41777', etc: '40755', 'etc/nsswitch.conf': '100644' });
  expect(await rightsUnder(0o077)).toEqual(rights);
});
