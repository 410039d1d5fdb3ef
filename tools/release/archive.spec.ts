import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { archive } from './archive.ts';
import { stepsUntil } from './run-step.ts';

const run = stepsUntil(new AbortController().signal);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-archive-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes the same content in the given order, with the given rights, which are also its time. */
async function written(name: string, files: readonly string[], rights: number): Promise<string> {
  const root = join(folder, name);
  await mkdir(join(root, 'deep'), { recursive: true });
  for (const file of files) {
    await writeFile(join(root, file), `content of ${file}`, { mode: rights });
    await chmod(join(root, file), rights);
    await utimes(join(root, file), rights, rights);
  }
  await symlink('../one', join(root, 'deep', 'link'));
  return root;
}

it('gives equal bytes for equal content', async () => {
  const digests: string[] = [];
  for (const [name, files, rights] of [
    ['first', ['one', 'deep/two', 'three'], 0o600],
    ['second', ['three', 'deep/two', 'one'], 0o664],
  ] as const) {
    const file = join(folder, `${name}.tar.gz`);
    await archive(run, await written(name, files, rights), file, { time: 1_700_000_000, as: 'app' });
    digests.push(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    );
  }
  expect(digests[0]).toBe(digests[1]);
});

it('names its folder and keeps links', async () => {
  const file = join(folder, 'first.tar.gz');
  await archive(run, await written('first', ['one', 'deep/two'], 0o600), file, { time: 0, as: 'app' });
  const listed = await run('tar', ['--list', '--verbose', '--numeric-owner', '--file', file]);
  const lines = listed
    .trim()
    .split('\n')
    .map((line) => line.replace(/^(\S+) (\S+) .* (app\S*)/, '$1 $2 $3'));
  expect(lines).toEqual([
    'drwxr-xr-x 0/0 app/',
    'drwxr-xr-x 0/0 app/deep/',
    'lrwxr-xr-x 0/0 app/deep/link -> ../one',
    '-rw-r--r-- 0/0 app/deep/two',
    '-rw-r--r-- 0/0 app/one',
  ]);
});
