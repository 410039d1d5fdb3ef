import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PortBusyError, StackStoppedError } from '../errors.ts';
import { freePort, HOST, isPortFree } from '../processes/ports.ts';
import { readStack } from './read-stack.ts';
import { type RunningStack, startStack } from './start-stack.ts';

let directory: string;
let running: RunningStack | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'maker-stack-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await running?.stop();
  running = undefined;
  await rm(directory, { recursive: true, force: true });
});

const start = (options: Parameters<typeof startStack>[0] = {}): Promise<RunningStack> =>
  startStack({ directory, ports: 'free', parts: 'infrastructure', ...options });

/** The port that an address names. */
const portOf = (url: string): number => Number(new URL(url).port);

async function listenOn(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
  return server;
}

/** Uses a new client: one that knew the server before would treat a wiped one as a stale member. */
async function withRows<Result>(url: string, ask: (rows: Collection) => Promise<Result>): Promise<Result> {
  const client = new MongoClient(url);
  try {
    return await ask(client.db('trial').collection('rows'));
  } finally {
    await client.close();
  }
}

describe('startStack', () => {
  it('writes stack.json for its owner while running', async () => {
    running = await start();
    expect(await readStack(directory)).toEqual(running.stack);
    expect((await stat(join(directory, 'stack.json'))).mode & 0o077).toBe(0);
    expect((await stat(join(directory, 'secrets', 'seed'))).mode & 0o777).toBe(0o400);
    const { rpcUrl, mongoUrl, natsUrl } = running.stack;
    await running.stop();
    expect(await readdir(directory)).not.toContain('stack.json');
    for (const url of [rpcUrl, natsUrl, mongoUrl]) expect(await isPortFree(portOf(url))).toBe(true);
  });

  it('keeps keys and contracts only with keep', async () => {
    running = await start();
    const first = running.stack;
    await running.stop();
    running = await start({ keep: true });
    const kept = running.stack;
    await running.stop();
    running = await start();
    expect(kept).toMatchObject({ apiKey: first.apiKey, contracts: first.contracts, tokens: first.tokens });
    expect(running.stack.apiKey).not.toBe(first.apiKey);
  });

  it('names a busy port and leaves nothing running', async () => {
    const ports: Record<string, string> = Object.fromEntries(
      await Promise.all(
        ['SHELL', 'API', 'RPC', 'MONGO', 'NATS'].map(async (name) => [`STACK_PORT_${name}`, String(await freePort())]),
      ),
    );
    for (const [name, port] of Object.entries(ports)) vi.stubEnv(name, port);
    const holder = await listenOn(Number(ports.STACK_PORT_NATS));
    const failure = await start({ ports: 'fixed' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PortBusyError);
    expect((failure as Error).message).toBe(
      `port ${ports.STACK_PORT_NATS} (NATS) is in use by another program; choose another with STACK_PORT_NATS=<port>, or let all be chosen with --free-ports`,
    );
    expect(await isPortFree(Number(ports.STACK_PORT_MONGO))).toBe(true);
    await new Promise((resolve) => holder.close(resolve));
  });

  it('aborts a start', async () => {
    const stop = new AbortController();
    const starting = start({ signal: stop.signal, onReady: () => stop.abort() });
    await expect(starting).rejects.toBeInstanceOf(StackStoppedError);
    expect(await readdir(directory)).not.toContain('stack.json');
  });

  it('reports a dead server with its log', async () => {
    const lost = new Promise<string>((resolve) => {
      void start({ onLost: resolve }).then(async (started) => {
        running = started;
        const { 'nats-server': pid } = JSON.parse(await readFile(join(directory, 'processes.json'), 'utf8'));
        process.kill(pid, 'SIGKILL');
      });
    });
    expect(await lost).toMatch(/^nats-server ended with SIGKILL: .*nats-server\.log\)$/);
  });

  it('restores a killed server with or without storage', async () => {
    running = await start();
    const { mongoUrl } = running.stack;
    await withRows(mongoUrl, (rows) => rows.insertOne({}, { writeConcern: { w: 'majority', j: true } }));
    await running.killServer('mongod', 'SIGKILL');
    await running.startServer('mongod');
    expect(await withRows(mongoUrl, (rows) => rows.countDocuments())).toBe(1);
    await running.startServer('mongod', { wipe: true });
    expect(await withRows(mongoUrl, (rows) => rows.countDocuments())).toBe(0);
  });
});
