import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@maker/local-stack';

const READY_MS = 60_000;

/** A proxy on this machine with its own configuration. */
export interface RunningProxy {
  readonly url: string;
  /** Stops it and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** How to run a kind of proxy. */
export interface ProxyKind {
  readonly program: () => Promise<string>;
  /** @param folder of its files @param port to listen on */
  readonly configuration: (folder: string, port: number) => string;
  /** @param file with the configuration */
  readonly args: (folder: string, file: string) => readonly string[];
}

/** @throws with its log if it does not listen */
export async function startProxy({ program, configuration, args }: ProxyKind): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-proxy-'));
  const [path, port] = [await program(), await freePort()];
  const [file, logFile] = [join(folder, 'configuration.yaml'), join(folder, 'log')];
  await writeFile(file, configuration(folder, port));
  let child: ChildProcess | undefined;
  const start = async () => {
    const log = openSync(logFile, 'a');
    child = spawn(path, args(folder, file), { stdio: ['ignore', log, log] });
    const ended = new AbortController();
    child.once('exit', () => ended.abort());
    const isReady = waitUntil(() => listens(port), { timeoutMs: READY_MS, signal: ended.signal });
    if (await isReady.catch(() => false)) return;
    throw new Error(`${path} does not listen: ${await readFile(logFile, 'utf8')}`);
  };
  const end = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    restart: async () => {
      await end();
      await start();
    },
    stop: async () => {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
