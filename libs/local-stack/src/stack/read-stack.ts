import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NoStackError } from '../errors.ts';
import { DEFAULT_STACK_DIRECTORY } from '../paths.ts';
import type { StackDescription } from './description.ts';

/** The running stack of a directory. @throws NoStackError */
export async function readStack(directory = DEFAULT_STACK_DIRECTORY): Promise<StackDescription> {
  const file = join(directory, 'stack.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (!text) throw new NoStackError(file);
  return JSON.parse(text);
}
