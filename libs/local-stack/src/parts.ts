import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '@maker/chain';
import { createTestClient, http } from 'viem';
import { type DemoAccount, demoAccount } from './chain/accounts.ts';
import { CHAIN_ID } from './chain/network.ts';
import { type ChainDeployment, runChain } from './chain/run-chain.ts';
import { exchangeRegistry } from './chain/venues/venues.ts';
import { mongoUrl, runMongo } from './processes/mongo.ts';
import { natsUrl, runNats } from './processes/nats.ts';
import { freePort } from './processes/ports.ts';
import type { RunningProcess } from './processes/running-process.ts';

/** A real server of a test's own, on a free port, with its data in a temporary folder. */
export interface Part {
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
  /** Ends the server's process at once and keeps its data, as a crash would. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Lets the process do nothing, while its connections stay: it is there and says no word. `resume` ends that. */
  pause(): void;
  resume(): void;
}

/** A MongoDB replica set of one. */
export interface MongoPart extends Part {
  /** Connection string without a database. */
  url: string;
  /** Connection string of one database. */
  urlOf(database: string): string;
}

/** A NATS server with JetStream. */
export interface NatsPart extends Part {
  url: string;
}

/** A local chain. */
export interface ChainPart extends Part {
  rpcUrl: string;
  chainId: number;
  /** The chain's ten rich accounts; see `ACCOUNT_INDEX` for who is who. */
  accounts: readonly DemoAccount[];
}

/** A local chain with exchanges and demo tokens. */
export interface ExchangeChainPart extends ChainPart, ChainDeployment {
  /** Entries for `CHAIN_EXCHANGES_FILE`. */
  exchanges: readonly Exchange[];
}

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

/** Starts a mongod for one test file. */
export async function startMongo(): Promise<MongoPart> {
  const folder = await temporaryFolder('mongo');
  const port = await freePort();
  const process = await runMongo({ port, dataDirectory: join(folder, 'data'), logFile: join(folder, 'mongod.log') });
  // It would take a second to save what is removed after it.
  const part = partOf(process, folder, () => process.kill('SIGKILL'));
  return { ...part, url: mongoUrl(port), urlOf: (database) => mongoUrl(port, database) };
}

/** Starts a nats-server with JetStream for one test file. */
export async function startNats(): Promise<NatsPart> {
  const folder = await temporaryFolder('nats');
  const port = await freePort();
  const process = await runNats({ port, dataDirectory: join(folder, 'data'), logFile: join(folder, 'nats.log') });
  return { ...partOf(process, folder), url: natsUrl(port) };
}

/** How fast a test's chain lives whose blocks come within a second. */
export interface QuickClock {
  /** Milliseconds between two blocks. */
  blockMs: number;
  /** Seconds that the chain's clock gains on ours with each, so that what waits for it waits less. */
  gainedSeconds: number;
}

/**
 * Has an anvil make blocks until the signal: anvil's own interval knows whole seconds only. A chain that was killed or
 * paused makes none meanwhile.
 */
async function mineUntil(signal: AbortSignal, { blockMs, gainedSeconds }: QuickClock, rpcUrl: string): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0 }) });
  while (!signal.aborted) {
    const began = Date.now();
    await client.mine({ blocks: 1, interval: gainedSeconds }).catch(() => undefined);
    const left = Math.max(blockMs - (Date.now() - began), 0);
    await wait(left, undefined, { signal }).catch(() => undefined);
  }
}

export interface ChainOptions {
  exchanges: boolean;
  /**
   * Seconds between blocks, 1 unless told; 0 mines nothing by itself, so that the test decides (`mine` of viem's test
   * client).
   */
  blockSeconds?: number;
  /** In place of `blockSeconds`, where a test waits for blocks or the chain's clock and not for seconds. */
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
