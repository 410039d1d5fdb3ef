import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout that contains this library. */
export const WORKSPACE_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder of downloads and compiled contracts, shared by all checkouts. */
export function cacheDirectory(): string {
  const { XDG_CACHE_HOME } = process.env;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hyperevm-maker-bot');
}

/** The state directory of `npm start`, and the one that `npm run pay` reads. */
export const DEFAULT_STACK_DIRECTORY = join(WORKSPACE_ROOT, '.stack');

/** Path of one of this library's own files, both when run from source (.ts) and from its build (.js). */
export function ownModule(importMetaUrl: string, relativeWithoutExtension: string): string {
  const extension = importMetaUrl.endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(relativeWithoutExtension + extension, importMetaUrl));
}
