import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that this library lies in. */
export const WORKSPACE_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where downloads and compiled contracts are kept between checkouts. */
export function cacheDirectory(): string {
  const { XDG_CACHE_HOME } = process.env;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hyperevm-maker-bot');
}

/** The state directory of `npm start`, and the one that `npm run pay` reads. */
export const DEFAULT_STACK_DIRECTORY = join(WORKSPACE_ROOT, '.stack');

/** Path of one of this library's own files when run from source (.ts) as well as from its build (.js). */
export function ownModule(importMetaUrl: string, relativeWithoutExtension: string): string {
  const extension = importMetaUrl.endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(relativeWithoutExtension + extension, importMetaUrl));
}
