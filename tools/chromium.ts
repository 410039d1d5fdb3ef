import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath, fromEnvironment, isExecutable, MissingBinaryError } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

const run = promisify(execFile);
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * `whole` is what visitors have. `shell` is the same engine without windows, profiles and menus, in which Playwright runs
 * tests unless told: a test takes half of a core's time in it.
 */
export type ChromiumKind = 'whole' | 'shell';

/** Programs in the order in which they are looked for, and Debian's package. */
const KINDS: Record<ChromiumKind, { names: readonly string[]; debian: string }> = {
  whole: { names: WHOLE, debian: 'chromium' },
  shell: { names: ['chromium-headless-shell', ...WHOLE], debian: 'chromium-headless-shell' },
};
const INSTALL_TIMEOUT_MS = 300_000;

async function findInstalled(kind: ChromiumKind): Promise<string | undefined> {
  for (const name of KINDS[kind].names) {
    const path = await findOnPath(name);
    if (path) return path;
  }
  const require = createRequire(join(WORKSPACE_ROOT, 'tests', 'package.json'));
  const { chromium } = require('@playwright/test') as { chromium: { executablePath(): string } };
  const downloaded = chromium.executablePath();
  return (await isExecutable(downloaded)) ? downloaded : undefined;
}

/** Ubuntu's package of the same name only points to a snap, so this is for Debian itself. */
async function canUseApt(): Promise<boolean> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return process.getuid?.() === 0 && /^ID=debian$/m.test(system) && (await findOnPath('apt-get')) !== undefined;
}

async function install(kind: ChromiumKind): Promise<void> {
  const options = { timeout: INSTALL_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  if (await canUseApt()) {
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', KINDS[kind].debian], options);
    return;
  }
  await run(join(WORKSPACE_ROOT, 'node_modules', '.bin', 'playwright'), ['install', 'chromium'], options);
}

/**
 * Chromium: `CHROMIUM`, else the system's, else Playwright's own, else installed now (by apt-get for root on Debian, by
 * Playwright elsewhere). Where there is no shell, what is there whole does as well.
 * @param onInstall told before something is installed, which takes its time
 * @throws MissingBinaryError
 */
export async function findChromium(kind: ChromiumKind, onInstall: () => void): Promise<string> {
  const found = (await fromEnvironment('chromium', 'CHROMIUM')) ?? (await findInstalled(kind));
  if (found) return found;
  onInstall();
  try {
    await install(kind);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new MissingBinaryError('chromium', 'CHROMIUM', `it could not be installed (${reason})`);
  }
  const installed = await findInstalled(kind);
  if (installed) return installed;
  throw new MissingBinaryError('chromium', 'CHROMIUM', 'it is not there after its installation');
}
