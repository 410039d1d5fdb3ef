import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MissingBinaryError } from '../errors.ts';
import { findOnPath, fromEnvironment, isExecutable } from './executable.ts';

const PROCESSORS: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * anvil: `ANVIL`, else the npm package of this platform, else the PATH. The package's own launcher is a script that
 * would stand between the stack and the real process, so the binary is run directly.
 * @throws MissingBinaryError
 */
export async function findAnvil(): Promise<string> {
  const chosen = await fromEnvironment('anvil', 'ANVIL');
  if (chosen) return chosen;
  const packageName = `@foundry-rs/anvil-${process.platform}-${PROCESSORS[process.arch] ?? process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    // The platform package is a dependency of the launcher's, so it is looked up from there.
    const launcher = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
    const packaged = join(dirname(launcher.resolve(`${packageName}/package.json`)), 'bin', 'anvil');
    if (await isExecutable(packaged)) return packaged;
  } catch {
    // Not installed: npm leaves out optional packages of other platforms, or was told to.
  }
  const installed = await findOnPath('anvil');
  if (installed) return installed;
  throw new MissingBinaryError('anvil', 'ANVIL', `the npm package ${packageName} is not installed`);
}
