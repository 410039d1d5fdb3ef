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
 * `whole` is the browser of visitors. `shell` is the same engine without windows, profiles and menus, Playwright's default
 * for tests: a test takes half the CPU time in it.
 */
export type ChromiumKind = 'whole' | 'shell';

/** Names of programs in the order of search, and Debian's package. */
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

/** Whether apt-get can install Chromium: on Debian only, since Ubuntu's package of this name only points to a snap. */
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
 * Finds Chromium: `CHROMIUM`, else the system's, else Playwright's own, else installs it (with apt-get for root on Debian, with
 * Playwright elsewhere). Uses the whole browser if there is no shell.
 * @param onInstall called before an installation, which takes some time
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
    throw new MissingBinaryError('chromium', 'CHROMIUM', `installation failed (${reason})`);
  }
  const installed = await findInstalled(kind);
  if (installed) return installed;
  throw new MissingBinaryError('chromium', 'CHROMIUM', 'not found after its installation');
}
