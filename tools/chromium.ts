import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath, fromEnvironment, isExecutable, MissingBinaryError } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

const run = promisify(execFile);
/**
 * `whole` is the browser of visitors. `shell` is the same engine without windows, profiles and menus, Playwright's default
 * for tests: a test takes half the CPU time in it.
 */
export type ChromiumKind = 'whole' | 'shell';

/** Names of programs in the order of search, and Debian's package. */
const KINDS: Record<ChromiumKind, { names: readonly string[]; debian: string }> = {
  whole: { names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], debian: 'chromium' },
  shell: { names: ['chromium-headless-shell'], debian: 'chromium-headless-shell' },
};
const INSTALL_TIMEOUT_MS = 300_000;

async function findProgram(kind: ChromiumKind): Promise<string | undefined> {
  for (const name of KINDS[kind].names) {
    const path = await findOnPath(name);
    if (path) return path;
  }
  return undefined;
}

/** The whole browser of Playwright. */
async function findDownloaded(): Promise<string | undefined> {
  const require = createRequire(join(WORKSPACE_ROOT, 'tests', 'package.json'));
  const { chromium } = require('@playwright/test') as { chromium: { executablePath(): string } };
  const downloaded = chromium.executablePath();
  return (await isExecutable(downloaded)) ? downloaded : undefined;
}

const findWhole = async () => (await findProgram('whole')) ?? (await findDownloaded());

/** Whether apt-get can install Chromium: on Debian only, since Ubuntu's package of this name only points to a snap. */
async function canUseApt(): Promise<boolean> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return process.getuid?.() === 0 && /^ID=debian$/m.test(system) && (await findOnPath('apt-get')) !== undefined;
}

async function install(kind: ChromiumKind, isWithApt: boolean): Promise<void> {
  const options = { timeout: INSTALL_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  if (!isWithApt) {
    await run(join(WORKSPACE_ROOT, 'node_modules', '.bin', 'playwright'), ['install', 'chromium'], options);
    return;
  }
  await run('apt-get', ['update', '-qq'], options);
  await run('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', KINDS[kind].debian], options);
}

/**
 * Finds Chromium: `CHROMIUM`, else the system's, else Playwright's own, else installs it (with apt-get for root on Debian, with
 * Playwright elsewhere). The whole browser serves as a shell only where no shell can be installed.
 * @param onInstall called before an installation, which takes some time
 * @throws MissingBinaryError
 */
export async function findChromium(kind: ChromiumKind, onInstall: () => void): Promise<string> {
  const isWithApt = await canUseApt();
  const isShellPossible = kind === 'shell' && isWithApt;
  const found =
    (await fromEnvironment('chromium', 'CHROMIUM')) ??
    (await findProgram(kind)) ??
    (isShellPossible ? undefined : await findWhole());
  if (found) return found;
  onInstall();
  const failure = await install(kind, isWithApt).then(
    () => 'not found after its installation',
    (error) => `installation failed (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
  );
  const installed = (await findProgram(kind)) ?? (await findWhole());
  if (installed) return installed;
  throw new MissingBinaryError('chromium', 'CHROMIUM', failure);
}
