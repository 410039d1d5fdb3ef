import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NotBuiltError } from '../errors.ts';
import { WORKSPACE_ROOT } from '../paths.ts';

/** The build that a service runs from: the bundle, as in images (docs/adr/0039), or the compiled modules. */
export type ServiceProgram = 'bundle' | 'modules';

/** The fields that this code reads of the bundler's report. */
interface BundleContents {
  /** The product's own modules, relative to the root. */
  readonly sources: readonly string[];
  /** SHA-256 over all modules, in their order. */
  readonly digest: string;
}

/**
 * The file that starts a service.
 * @param root default: the checkout's own
 * @throws NotBuiltError if it is missing or older than its modules
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
    throw new NotBuiltError(file, 'is older than its modules');
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
