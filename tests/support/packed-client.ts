import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { packagedProgram } from '../../tools/tool.ts';

const run = promisify(execFile);
const SOURCE = join(WORKSPACE_ROOT, 'libs', 'client');

/**
 * Packs @maker/client as it would be published and unpacks it in the `node_modules` of a folder.
 * @returns the archive, and where it was unpacked
 */
export async function installPackedClient(folder: string): Promise<{ archive: string; installed: string }> {
  const staged = join(folder, 'packed');
  const installed = join(folder, 'node_modules', '@maker', 'client');
  await mkdir(installed, { recursive: true });
  for (const part of ['package.json', 'README.md', 'src']) {
    await cp(join(SOURCE, part), join(staged, part), { recursive: true });
  }
  const built = ['--outDir', join(staged, 'dist'), '--tsBuildInfoFile', join(staged, 'tsbuildinfo')];
  await run(packagedProgram('tsc'), ['-p', SOURCE, ...built]);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: staged,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const archive = join(folder, filename);
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  return { archive, installed };
}
