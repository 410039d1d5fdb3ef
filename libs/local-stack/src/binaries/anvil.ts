import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MissingBinaryError } from '../errors.ts';
import { findOnPath, fromEnvironment, isExecutable } from './executable.ts';

const PROCESSORS: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Finds anvil: `ANVIL`, else the npm package of this platform, else the PATH. Returns the binary itself: the package's launcher
 * is a script that would run between the stack and anvil's process.
 * @throws MissingBinaryError
 */
export async function findAnvil(): Promise<string> {
  const chosen = await fromEnvironment('anvil', 'ANVIL');
  if (chosen) return chosen;
  const packageName = `@foundry-rs/anvil-${process.platform}-${PROCESSORS[process.arch] ?? process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    // The platform package is a dependency of the launcher, so resolve it from there.
    const launcher = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
    const packaged = join(dirname(launcher.resolve(`${packageName}/package.json`)), 'bin', 'anvil');
    if (await isExecutable(packaged)) return packaged;
  } catch {
    // Not installed: npm omits optional packages of other platforms, or its configuration omits optional packages.
  }
  const installed = await findOnPath('anvil');
  if (installed) return installed;
  throw new MissingBinaryError('anvil', 'ANVIL', `the npm package ${packageName} is not installed`);
}
