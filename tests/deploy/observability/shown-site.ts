import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@maker/local-stack';
import { forget, reapOnDeath } from '@maker/local-stack/command';
import { WORKSPACE } from './rule-files.ts';

const HOST = '127.0.0.1';
const CLIENT = { apiBaseUrl: 'https://api.bot.example', botWalletAddress: '0x0', explorerUrl: '' };
const PROGRAM = join(WORKSPACE, 'apps/site/dist/main.js');
const READY_MS = 30_000;

/** The built site, with pages that need no build, on ports that it keeps after a restart. */
export interface ShownSite {
  /** Address of its metrics. */
  readonly target: string;
  up(): Promise<void>;
  /** Kills it. */
  down(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws Error if it does not become ready */
export async function startShownSite(): Promise<ShownSite> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-site-'));
  for (const build of ['shell', 'remotes', 'verify']) await mkdir(join(folder, build));
  const configurationFile = join(folder, 'config.json');
  await writeFile(configurationFile, JSON.stringify({ ...CLIENT, apiKey: 'public-key' }));
  const [httpPort, opsPort] = [await freePort(), await freePort()];
  const environment = {
    ...process.env,
    LISTEN_HOST: HOST,
    HTTP_PORT: String(httpPort),
    OPS_PORT: String(opsPort),
    SITE_CONFIGURATION_FILE: configurationFile,
  };
  const target = `http://${HOST}:${opsPort}`;
  let running: ChildProcess | undefined;

  const down = async (): Promise<void> => {
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
    if (running.pid) forget(running.pid);
    running = undefined;
  };
  const up = async (): Promise<void> => {
    running = spawn(process.execPath, [PROGRAM, folder], { env: environment, stdio: 'ignore', detached: true });
    if (running.pid) reapOnDeath(running.pid);
    const isReady = await waitUntil(async () => (await fetch(`${target}/metrics`)).ok, { timeoutMs: READY_MS });
    if (!isReady) throw new Error(`the site is not ready: is ${PROGRAM} built?`);
  };
  const stop = async (): Promise<void> => {
    await down();
    await rm(folder, { recursive: true, force: true });
  };
  await up();
  return { target, up, down, stop };
}
