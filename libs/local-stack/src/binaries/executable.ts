import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { MissingBinaryError } from '../errors.ts';

/** Whether `path` is a file that this user may run. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first program called `name` on the PATH. */
export async function findOnPath(name: string): Promise<string | undefined> {
  for (const directory of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const candidate = join(directory, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

/**
 * The program that the user names in an environment variable.
 * @returns undefined when the variable is not set
 * @throws MissingBinaryError when it names something that cannot be run
 */
export async function fromEnvironment(program: string, variable: string): Promise<string | undefined> {
  const path = process.env[variable];
  if (!path) return undefined;
  if (await isExecutable(path)) return path;
  throw new MissingBinaryError(program, variable, `${variable}=${path} is not an executable file`);
}
