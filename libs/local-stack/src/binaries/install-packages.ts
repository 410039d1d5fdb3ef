import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const INSTALL_MS = 300_000;

/** Installs the packages of a folder's lockfile, without their scripts. @throws Error with npm's output */
export async function installPackages(directory: string): Promise<void> {
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: directory, timeout: INSTALL_MS });
}
