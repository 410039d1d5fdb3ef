import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '@maker/chain';
import { MongoClient } from 'mongodb';
import { createTestClient, http } from 'viem';
import { type DemoAccount, demoAccount } from './chain/accounts.ts';
import { CHAIN_ID } from './chain/network.ts';
import { type ChainDeployment, runChain } from './chain/run-chain.ts';
import { exchangeRegistry } from './chain/venues/venues.ts';
import { mongoUrl, runMongo } from './processes/mongo.ts';
import { natsUrl, runNats } from './processes/nats.ts';
import { freePort } from './processes/ports.ts';
import type { RunningProcess } from './processes/running-process.ts';

/** A real server for one test file, on a free port, with its data in a temporary folder. */
export interface Part {
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
  /** Kills the server's process and keeps its data, as a crash would. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Suspends the process while its connections stay open: it does not answer. `resume` ends that. */
  pause(): void;
  resume(): void;
}

/** Databases on a MongoDB replica set of one. */
export interface TestDatabases {
  /** Connection string of one database. */
  urlOf(database: string): string;
  /** Removes them. */
  stop(): Promise<void>;
}

/** {@link openDatabases}, or {@link startMongo}. */
export type OpenDatabases = () => TestDatabases | Promise<TestDatabases>;

/** A MongoDB replica set of one, of a test file's own. */
export interface MongoPart extends Part, TestDatabases {
  port: number;
}

/** A NATS server. */
export interface NatsPart extends Part {
  url: string;
}

/** A local chain. */
export interface ChainPart extends Part {
  rpcUrl: string;
  chainId: number;
  /** The chain's ten rich accounts; see `ACCOUNT_INDEX` for their roles. */
  accounts: readonly DemoAccount[];
}

/** A local chain with exchanges and demo tokens. */
export interface ExchangeChainPart extends ChainPart, ChainDeployment {
  /** Entries for `CHAIN_EXCHANGES_FILE`. */
  exchanges: readonly Exchange[];
}

/** Environment variable with the port of the mongod that test files share. */
export const SHARED_MONGO_PORT = 'TEST_MONGO_PORT';

const temporaryFolder = (name: string) => mkdtemp(join(tmpdir(), `maker-${name}-`));

function partOf(process: RunningProcess, folder: string, end = () => process.stop()): Part {
  return {
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
    kill: (signal = 'SIGKILL') => process.kill(signal),
    pause: () => process.signal('SIGSTOP'),
    resume: () => process.signal('SIGCONT'),
  };
}

/** Starts a mongod for one test file, which may stop, kill or pause it. */
export async function startMongo(): Promise<MongoPart> {
  const folder = await temporaryFolder('mongo');
  const port = await freePort();
  const process = await runMongo({ port, dataDirectory: join(folder, 'data'), logFile: join(folder, 'mongod.log') });
  // Killed, not stopped: saving data takes a second, and this data is removed afterwards.
  const part = partOf(process, folder, () => process.kill('SIGKILL'));
  return { ...part, port, urlOf: (database) => mongoUrl(port, database) };
}

/**
 * Databases of one test file's own on the mongod that integration tests share: to start one takes longer than most files.
 * @throws Error outside of integration tests
 */
export function openDatabases(): TestDatabases {
  const port = Number(process.env[SHARED_MONGO_PORT]);
  if (!port) throw new Error(`${SHARED_MONGO_PORT} is not set: only integration tests share a mongod`);
  const prefix = `${randomUUID().slice(0, 8)}_`;
  const names = new Set<string>();
  return {
    urlOf(database) {
      names.add(`${prefix}${database}`);
      return mongoUrl(port, `${prefix}${database}`);
    },
    async stop() {
      const client = new MongoClient(mongoUrl(port));
      try {
        await Promise.all(Array.from(names, (name) => client.db(name).dropDatabase()));
      } finally {
        await client.close();
      }
    },
  };
}

/** Starts a nats-server for one test file. */
export async function startNats(): Promise<NatsPart> {
  const folder = await temporaryFolder('nats');
  const port = await freePort();
  const process = await runNats({ port, dataDirectory: join(folder, 'data'), logFile: join(folder, 'nats.log') });
  return { ...partOf(process, folder), url: natsUrl(port) };
}

/** The clock of a test's chain with less than a second between blocks. */
export interface QuickClock {
  /** Milliseconds between two blocks. */
  blockMs: number;
  /** Seconds that the chain's clock gains on ours with each block, so that tests wait less. */
  gainedSeconds: number;
}

/**
 * Makes an anvil mine blocks until the signal: anvil's own interval has whole seconds only. A killed or paused chain
 * mines none meanwhile.
 */
async function mineUntil(signal: AbortSignal, { blockMs, gainedSeconds }: QuickClock, rpcUrl: string): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0 }) });
  while (!signal.aborted) {
    const began = performance.now();
    await client.mine({ blocks: 1, interval: gainedSeconds }).catch(() => undefined);
    const left = Math.max(blockMs - (performance.now() - began), 0);
    await wait(left, undefined, { signal }).catch(() => undefined);
  }
}

export interface ChainOptions {
  exchanges: boolean;
  /**
   * Seconds between blocks, default 1; with 0 the chain mines only on request of the test (`mine` of viem's test
   * client).
   */
  blockSeconds?: number;
  /** Replaces `blockSeconds` in a test that waits for blocks or the chain's clock, not for seconds. */
  clock?: QuickClock | undefined;
}

/** Starts an anvil for one test file. */
export async function startChain(options: ChainOptions & { exchanges: true }): Promise<ExchangeChainPart>;
export async function startChain(options: ChainOptions & { exchanges: false }): Promise<ChainPart>;
export async function startChain(options: ChainOptions): Promise<ChainPart | ExchangeChainPart> {
  const folder = await temporaryFolder('chain');
  const port = await freePort();
  const { exchanges, clock } = options;
  const blockSeconds = clock ? 0 : options.blockSeconds;
  const place = {
    exchanges,
    port,
    logFile: join(folder, 'anvil.log'),
    ...(blockSeconds !== undefined && { blockSeconds }),
  };
  const { anvil, rpcUrl, deployment } = await runChain(place);
  const accounts = Array.from({ length: 10 }, (_, index) => demoAccount(index));
  const part = partOf(anvil, folder);
  const stopping = new AbortController();
  const mining = clock && mineUntil(stopping.signal, clock, rpcUrl);
  const stop = async () => {
    stopping.abort();
    await part.stop();
    await mining;
  };
  const chain = { ...part, stop, rpcUrl, chainId: CHAIN_ID, accounts };
  return deployment ? { ...chain, ...deployment, exchanges: exchangeRegistry(deployment.contracts) } : chain;
}
