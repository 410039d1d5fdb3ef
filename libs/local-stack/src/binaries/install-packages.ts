import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const INSTALL_MS = 300_000;

/** Installs what the lockfile in a folder asks for, without the scripts of packages. @throws Error with what npm says */
export async function installPackages(directory: string): Promise<void> {
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: directory, timeout: INSTALL_MS });
}
