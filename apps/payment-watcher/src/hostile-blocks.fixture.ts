import { randomBytes } from 'node:crypto';
import {
  type ChainPart,
  type NatsPart,
  openDatabases,
  startChain,
  startNats,
  type TestDatabases,
} from '@maker/local-stack';
import { Connection } from '@maker/persistence';
import type { INestMicroservice } from '@nestjs/common';
import { type Address, createTestClient, type Hex, http, parseEther, publicActions, walletActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { expect, vi } from 'vitest';
import {
  cursorsOf,
  FakeJobService,
  type Servers,
  startWatcher,
  type WatcherChanges,
} from './payment-watcher.fixture.ts';
import { WatchesRepository } from './watch/watches.repository.ts';

/** Longest time from a payment's block to the event that reports it, ms. */
export const REPORTED_WITHIN_MS = 2000;

/** A contract that sends 1 wei of its balance to each address in its calldata, 20 bytes each. */
const SPRINKLER: Address = `0x${'f2'.repeat(20)}`;
const SPRINKLER_CODE: Hex = '0x5f5b80361115601d575f5f5f5f6001853560601c5af1506014016001565b00';

const patient = { timeout: 60_000, interval: 20 };
/** The same if each check mines a block, which the watcher then reads. */
const mining = { ...patient, interval: 100 };
const QUARTER_OF_AN_HOUR_MS = 900_000;
const CREATED_AT_ONCE = 50;
const BLOCK_GAS = 30_000_000;

/** The part of a job that its payer knows. */
export interface WatchedJob {
  readonly jobId: string;
  readonly address: Address;
  readonly deadlineMs: number;
}

/** A watcher on a chain whose blocks a test fills. */
export class HostileBlocks {
  readonly watchers: INestMicroservice[] = [];
  private nonce: number | undefined;

  private constructor(
    readonly mongo: TestDatabases,
    readonly nats: NatsPart,
    readonly chain: ChainPart,
    readonly job: FakeJobService,
    readonly servers: Servers,
    private readonly client: ReturnType<typeof clientOf>,
  ) {}

  static async start(): Promise<HostileBlocks> {
    const mongo = openDatabases();
    const [nats, chain] = await Promise.all([startNats(), startChain({ exchanges: false, blockSeconds: 0 })]);
    const servers = {
      natsUrl: nats.url,
      rpcUrl: chain.rpcUrl,
      watcherMongoUrl: mongo.urlOf('payment_watcher'),
      jobMongoUrl: mongo.urlOf('job'),
    };
    const client = clientOf(chain);
    await client.setCode({ address: SPRINKLER, bytecode: SPRINKLER_CODE });
    await client.setBalance({ address: SPRINKLER, value: parseEther('1') });
    return new HostileBlocks(mongo, nats, chain, await FakeJobService.start(servers), servers, client);
  }

  async stop(): Promise<void> {
    await this.stopWatchers();
    await this.job.stop();
    await Promise.all([this.mongo.stop(), this.nats.stop(), this.chain.stop()]);
  }

  /** @param rpcUrl of an endpoint in front of the chain */
  async watch(rpcUrl = this.chain.rpcUrl, changes: WatcherChanges = {}): Promise<void> {
    this.watchers.push(await startWatcher({ ...this.servers, rpcUrl }, 20, changes));
  }

  async stopWatchers(): Promise<void> {
    await Promise.all(this.watchers.splice(0).map((watcher) => watcher.close()));
  }

  mine(): Promise<void> {
    return this.client.mine({ blocks: 1 });
  }

  /** Sets the time of the next block, ms. */
  setNextBlockTime(atMs: number): Promise<void> {
    return this.client.setNextBlockTimestamp({ timestamp: BigInt(atMs / 1000) });
  }

  async headNumber(): Promise<number> {
    return Number(await this.client.getBlockNumber());
  }

  async transactionsOfHead(): Promise<number> {
    return (await this.client.getBlock()).transactions.length;
  }

  /** Creates jobs and waits until the scanner watches their addresses and has read each balance once. */
  async watchedJobs(count: number, { mines = true } = {}): Promise<WatchedJob[]> {
    const deadlineMs = Number((await this.client.getBlock()).timestamp) * 1000 + QUARTER_OF_AN_HOUR_MS;
    const jobs: WatchedJob[] = [];
    // Transactions wait for a connection of the pool, for seconds at most.
    while (jobs.length < count) {
      const batch = Array.from({ length: Math.min(CREATED_AT_ONCE, count - jobs.length) }, async () => {
        const jobId = `job_${randomBytes(16).toString('hex')}`;
        const { address } = privateKeyToAccount(generatePrivateKey());
        await this.job.createJob(jobId, address, deadlineMs);
        return { jobId, address: address.toLowerCase() as Address, deadlineMs };
      });
      jobs.push(...(await Promise.all(batch)));
    }
    const addresses = jobs.map(({ address }) => address);
    await vi.waitFor(async () => {
      if (mines) await this.mine();
      const watches = await this.watchers[0]?.get(WatchesRepository).findMany(addresses);
      expect([...(watches?.values() ?? [])].filter(({ readAtBlock }) => readAtBlock !== null)).toHaveLength(count);
    }, mining);
    if (mines) await this.scannedToHead();
    return jobs;
  }

  /** Sends without mining. @returns the transaction's hash */
  async send(to: Address, value: bigint, data?: Hex, gas = 21_000n): Promise<Hex> {
    this.nonce ??= await this.client.getTransactionCount({ address: this.client.account.address });
    const nonce = this.nonce++;
    return this.client.sendTransaction({ to, value, gas, gasPrice: 2_000_000_000n, nonce, ...(data && { data }) });
  }

  /** Changes a balance without a transaction, like a HyperCore credit. */
  setBalance(address: Address, value: bigint): Promise<void> {
    return this.client.setBalance({ address, value });
  }

  /** Sends a transaction whose calldata names addresses, with the least possible gas. */
  async name(addresses: readonly Address[], to: Address = `0x${'dd'.repeat(20)}`): Promise<void> {
    await this.send(to, 0n, packed(addresses), 21_000n + 40n * 20n * BigInt(addresses.length));
  }

  /** Sends one wei to each address in one call. */
  async sprinkle(addresses: readonly Address[], gas = BLOCK_GAS - 1_000_000): Promise<void> {
    await this.send(SPRINKLER, 0n, packed(addresses), BigInt(gas));
  }

  /** Waits until the chain has mined one more block. */
  async nextBlock(): Promise<void> {
    const before = await this.client.getBlockNumber();
    await vi.waitFor(async () => expect(await this.client.getBlockNumber()).toBeGreaterThan(before), patient);
  }

  /** The sender of all transactions. */
  get payer(): Address {
    return this.client.account.address.toLowerCase() as Address;
  }

  get rpcUrl(): string {
    return this.chain.rpcUrl;
  }

  /** Lets the chain mine periodically, like HyperEVM every second; 0 stops it. */
  mineEvery(seconds: number): Promise<void> {
    return this.client.setIntervalMining({ interval: seconds });
  }

  /** Pays in the next mined block. @returns time from that block to the job service's `payment.seen`, ms */
  async payInNextBlock({ jobId, address }: WatchedJob): Promise<number> {
    const hash = await this.send(address, parseEther('0.5'));
    await vi.waitFor(() => this.client.getTransactionReceipt({ hash }), patient);
    const minedAt = performance.now();
    await vi.waitFor(() => expect(this.job.seen(jobId)).not.toEqual([]), patient);
    return performance.now() - minedAt;
  }

  /** Pays in a new block. @returns time from that block to the job service's `payment.seen`, ms */
  async payAndWait({ jobId, address }: WatchedJob): Promise<number> {
    const hash = await this.send(address, parseEther('0.5'));
    await this.mine();
    const minedAt = performance.now();
    expect((await this.client.getTransactionReceipt({ hash })).status).toBe('success');
    await vi.waitFor(() => expect(this.job.seen(jobId)).not.toEqual([]), patient);
    return performance.now() - minedAt;
  }

  /** Number of documents by collection of the watcher. */
  async documents(): Promise<Readonly<Record<string, number>>> {
    const { db } = this.watchers[0]?.get(Connection) ?? {};
    const collections = (await db?.collections()) ?? [];
    const counts = await Promise.all(
      collections.map(async (collection) => [collection.collectionName, await collection.countDocuments()] as const),
    );
    return Object.fromEntries(counts);
  }

  /** Mines blocks until a check passes, each after the previous one is scanned: the scan of more blocks than needed only takes time. */
  minedUntil(check: () => void): Promise<void> {
    return vi.waitFor(
      async () => {
        await this.mineScanned(1);
        check();
      },
      { ...patient, interval: 50 },
    );
  }

  /** Mines blocks, each after the previous one is scanned. */
  async mineScanned(count: number): Promise<void> {
    for (let block = 0; block < count; block++) {
      await this.mine();
      await this.scannedToHead();
    }
  }

  async scannedToHead(): Promise<void> {
    const head = Number(await this.client.getBlockNumber());
    await vi.waitFor(async () => expect(await cursorsOf(this.watchers)).toContain(head), patient);
  }
}

function packed(addresses: readonly Address[]): Hex {
  return `0x${addresses.map((address) => address.slice(2)).join('')}`;
}

function clientOf({ rpcUrl, accounts }: ChainPart) {
  const account = privateKeyToAccount(accounts[1]?.privateKey ?? '0x');
  return createTestClient({ chain: foundry, mode: 'anvil', transport: http(rpcUrl), account, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}
