import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

const run = promisify(execFile);

/**
 * Packs @maker/client as for publication and unpacks it in the `node_modules` of a folder.
 * @returns the archive, and the folder of the package
 */
export async function installPackedClient(folder: string): Promise<{ archive: string; installed: string }> {
  const installed = join(folder, 'node_modules', '@maker', 'client');
  await mkdir(installed, { recursive: true });
  const pack = ['pack', '--workspace', '@maker/client', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: WORKSPACE_ROOT });
  const archive = join(folder, stdout.trim());
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  return { archive, installed };
}
