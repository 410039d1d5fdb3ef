import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NotBuiltError } from '../errors.ts';
import { WORKSPACE_ROOT } from '../paths.ts';

/** Which of its builds a service is run from: the few files that are in images too (docs/adr/0039), or the modules that they are made of. */
export type ServiceProgram = 'bundle' | 'modules';

/** What the bundler says of its work, as far as it is read. */
interface BundleContents {
  /** The product's own modules, seen from the root. */
  readonly sources: readonly string[];
  /** SHA-256 over them all, in their order. */
  readonly digest: string;
}

/**
 * The file that a service is started by.
 * @param root the checkout's own unless told
 * @throws NotBuiltError where it is missing, or its modules were built anew since
 */
export async function findProgram(
  app: string,
  program: ServiceProgram = 'bundle',
  root = WORKSPACE_ROOT,
): Promise<string> {
  const build = join(root, 'apps', app, 'dist');
  const file = join(build, ...(program === 'bundle' ? ['bundle'] : []), 'main.js');
  if (!existsSync(file)) throw new NotBuiltError(file);
  if (program === 'bundle' && !(await isOfModules(join(build, 'bundle'), root))) {
    throw new NotBuiltError(file, 'is of an older build than its modules');
  }
  return file;
}

async function isOfModules(bundle: string, root: string): Promise<boolean> {
  const { sources, digest } = JSON.parse(await readFile(join(bundle, 'contents.json'), 'utf8')) as BundleContents;
  const sum = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    if (!existsSync(path)) return false;
    sum.update(await readFile(path));
  }
  return sum.digest('hex') === digest;
}
