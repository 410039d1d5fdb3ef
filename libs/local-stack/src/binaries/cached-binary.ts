import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../paths.ts';
import { isExecutable } from './executable.ts';

/**
 * A program in the cache, created on first use. It is written under a temporary name and renamed. So an interrupted
 * download is never used as a program, and two processes do not disturb each other.
 * @param fileName with the version in it
 * @param produce writes the program to `target`; `scratch` is an empty folder for temporary files
 * @param folder of the cache
 */
export async function cachedBinary(
  fileName: string,
  produce: (target: string, scratch: string) => Promise<void>,
  folder = 'binaries',
): Promise<string> {
  const directory = join(cacheDirectory(), folder);
  const path = join(directory, fileName);
  if (await isExecutable(path)) return path;
  await mkdir(directory, { recursive: true });
  const scratch = await mkdtemp(join(directory, '.download-'));
  try {
    const target = join(scratch, fileName);
    await produce(target, scratch);
    await rename(target, path);
    return path;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
