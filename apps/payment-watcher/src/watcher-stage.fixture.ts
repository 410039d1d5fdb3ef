import { randomBytes } from 'node:crypto';
import { BalanceReader } from '@maker/chain';
import {
  type ChainPart,
  type NatsPart,
  type OpenDatabases,
  openDatabases,
  startChain,
  startNats,
  type TestDatabases,
} from '@maker/local-stack';
import { Connection } from '@maker/persistence';
import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import {
  type Address,
  type Chain,
  createTestClient,
  type Hex,
  type HttpTransport,
  http,
  type PrivateKeyAccount,
  type PublicActions,
  parseEther,
  publicActions,
  type TestClient,
  type WalletActions,
  walletActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, expect, type MockInstance, vi } from 'vitest';
import { CreditDepositService } from './credit-deposit/credit-deposit.service.ts';
import { FakeJobService, type Servers, startWatcher } from './payment-watcher.fixture.ts';
import { BLOCKS_OF_A_PART } from './poll-balances/poll-balances.service.ts';
import { WatchesRepository } from './watch/watches.repository.ts';

export const QUARTER_OF_AN_HOUR_MS = 900_000;
/** Options to wait for a few blocks. */
export const PATIENT = { timeout: 15_000, interval: 50 };
/** The same if each check mines a block. */
const MINING = { ...PATIENT, interval: 10 };
/**
 * Longest wait for the watcher before the next block, ms. The scanner learns the chain's pace from the first blocks and keeps to it:
 * a slow start would make every later block slow.
 */
const PACE_MS = 150;
/** Time of an event from the watcher to the job service, ms. A later one only costs another block. */
const EVENT_MS = 50;

/** A contract that forwards its value to the address in the first 20 bytes of its calldata. */
export const FORWARDER: Address = `0x${'f0'.repeat(20)}`;
const FORWARDER_CODE: Hex = '0x5f5f5f5f345f3560601c5af100';
/** A contract that forwards its value to the address in its storage slot 0, which no calldata names. */
export const SPLITTER: Address = `0x${'f1'.repeat(20)}`;
const SPLITTER_CODE: Hex = '0x5f5f5f5f345f545af100';

/** A job that the fake job service has published. */
export interface WatchedJob {
  readonly jobId: string;
  readonly wallet: ReturnType<typeof privateKeyToAccount>;
  readonly address: Address;
  readonly deadlineMs: number;
}

type ChainClient = TestClient<'anvil', HttpTransport, Chain, PrivateKeyAccount> &
  PublicActions<HttpTransport, Chain, PrivateKeyAccount> &
  WalletActions<Chain, PrivateKeyAccount>;

function clientOf({ rpcUrl, accounts }: ChainPart): ChainClient {
  const account = privateKeyToAccount(accounts[1]?.privateKey ?? '0x');
  return createTestClient({ chain: foundry, mode: 'anvil', transport: http(rpcUrl), account, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}

/** Waits until a check passes, at most so long. */
async function passes(check: () => boolean, mostMs: number): Promise<void> {
  await vi.waitFor(() => expect(check()).toBe(true), { timeout: mostMs, interval: 5 }).catch(() => undefined);
}

/**
 * A chain that mines on request, a fake job service, and the watchers of a spec file. Ready from the first test.
 * @param open `startMongo` if a test reads the counters of its server
 */
export function stageForFile(open: OpenDatabases = openDatabases) {
  let mongo: TestDatabases;
  let nats: NatsPart;
  let chain: ChainPart;
  let servers: Servers;
  let job: FakeJobService;
  let client: ChainClient;
  const watchers: INestMicroservice[] = [];
  let crediting: MockInstance<CreditDepositService['afterBlock']>;
  let reading: MockInstance<BalanceReader['read']>;

  beforeAll(async () => {
    // On the prototypes, so that no watcher finishes a block before it is observed.
    crediting = vi.spyOn(CreditDepositService.prototype, 'afterBlock');
    reading = vi.spyOn(BalanceReader.prototype, 'read');
    mongo = await open();
    [nats, chain] = await Promise.all([startNats(), startChain({ exchanges: false, blockSeconds: 0 })]);
    client = clientOf(chain);
    servers = {
      natsUrl: nats.url,
      rpcUrl: chain.rpcUrl,
      watcherMongoUrl: mongo.urlOf('payment_watcher'),
      jobMongoUrl: mongo.urlOf('job'),
    };
    await client.setCode({ address: FORWARDER, bytecode: FORWARDER_CODE });
    await client.setCode({ address: SPLITTER, bytecode: SPLITTER_CODE });
    job = await FakeJobService.start(servers);
  });

  afterAll(async () => {
    crediting.mockRestore();
    reading.mockRestore();
    await job?.stop();
    await Promise.all([mongo?.stop(), nats?.stop(), chain?.stop()]);
  });

  async function watch(pollSeconds?: number): Promise<INestMicroservice> {
    const watcher = await startWatcher(servers, pollSeconds);
    watchers.push(watcher);
    return watcher;
  }

  async function stopWatchers(): Promise<void> {
    await Promise.all(watchers.splice(0).map((watcher) => watcher.close()));
  }

  const mine = (blocks = 1) => client.mine({ blocks });
  const rollBack = (depth: number) => client.request({ method: 'anvil_rollback', params: [depth] } as never);
  const chainTimeMs = async () => Number((await client.getBlock()).timestamp) * 1000;

  /** Signs a payment of 0.5 HYPE that is valid on any branch of the chain. */
  async function signedPayment(to: Address): Promise<Hex> {
    const fees = { gas: 21_000n, gasPrice: 2_000_000_000n };
    const request = await client.prepareTransactionRequest({ to, value: parseEther('0.5'), ...fees });
    return client.signTransaction(request as never);
  }

  async function createJob(): Promise<WatchedJob> {
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    const wallet = privateKeyToAccount(generatePrivateKey());
    const deadlineMs = (await chainTimeMs()) + QUARTER_OF_AN_HOUR_MS;
    await job.createJob(jobId, wallet.address, deadlineMs);
    return { jobId, wallet, address: wallet.address, deadlineMs };
  }

  /** Creates a job and waits until the scanner watches its address. */
  async function watchedJob(): Promise<WatchedJob> {
    const created = await createJob();
    const address = created.address.toLowerCase() as Address;
    await vi.waitFor(async () => {
      await mine();
      await finished((await client.getBlock()).hash, PACE_MS);
      const repository = watchers[0]?.get(WatchesRepository);
      expect((await repository?.findMany([address]))?.get(address)?.readAtBlock).toEqual(expect.any(Number));
    }, MINING);
    return created;
  }

  /** Sends without mining. */
  const send = (to: Address, hype: string, data?: Hex) =>
    client.sendTransaction({
      to,
      value: parseEther(hype),
      gas: 200_000n,
      gasPrice: 2_000_000_000n,
      ...(data && { data }),
    });

  async function pay(to: Address, hype: string, data?: Hex) {
    const hash = await send(to, hype, data);
    await mine();
    return client.getTransactionReceipt({ hash });
  }

  /** Mines until a check passes, at most `mostBlocks`. The last block has `patienceMs`, each other until the watcher has finished it. */
  async function minedUntil(seen: () => boolean, mostBlocks = 300, patienceMs = PACE_MS): Promise<void> {
    for (let blocks = 1; blocks <= mostBlocks; blocks++) {
      await mine();
      const { hash } = await client.getBlock();
      if (blocks < mostBlocks) await finished(hash, patienceMs, seen);
      await passes(seen, blocks < mostBlocks ? EVENT_MS : patienceMs);
      if (seen()) return;
    }
    throw new Error(`the check did not pass in ${mostBlocks} blocks`);
  }

  const sumReceived = (jobId: string) =>
    job.received(jobId).reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);

  /** Whether a watcher has scanned a block, read the balances that are due after it and credited what it confirms. */
  function isFinished(hash: Hex): boolean {
    const { calls, settledResults } = crediting.mock;
    return calls.some(([, block], call) => block.hash === hash && settledResults[call]?.type !== 'incomplete');
  }

  /** Waits until a watcher has finished a block or a check passes, at most so long. */
  const finished = (hash: Hex, mostMs: number, seen = () => false) => passes(() => seen() || isFinished(hash), mostMs);

  /** Waits until a watcher has finished the newest block and its events have arrived: a wrong one must not come after the check. */
  async function scannedToHead(): Promise<void> {
    const { hash } = await client.getBlock();
    await vi.waitFor(() => expect(isFinished(hash)).toBe(true), { ...PATIENT, interval: 5 });
    const ids = (await watchers[0]?.get(Connection).collection('outbox').distinct('_id'))?.map(String) ?? [];
    await vi.waitFor(() => expect(job.hasHandled(ids)).toBe(true), { ...PATIENT, interval: 5 });
  }

  /** Sum of a metric's series. */
  async function metric(name: string): Promise<number | undefined> {
    const values = (await watchers[0]?.get(MetricsRegistry).getSingleMetric(name)?.get())?.values;
    return values?.reduce((sum, { value }) => sum + value, 0);
  }

  /** Number of polls whose balances were read so far. */
  async function pollsRead(): Promise<number> {
    const values = (await watchers[0]?.get(MetricsRegistry).getSingleMetric('maker_watcher_poll_seconds')?.get())
      ?.values;
    const count = values?.find(
      ({ labels, ...value }) =>
        labels.scope === 'all' && 'metricName' in value && String(value.metricName).endsWith('_count'),
    );
    return count?.value ?? 0;
  }

  /** Mines until the balance of an address has been read, and no block more. A running poll may leave out a new address. */
  async function minedToReading(address: Address): Promise<void> {
    await scannedToHead();
    const before = reading.mock.calls.length;
    const isRead = () =>
      reading.mock.calls.slice(before).some(([addresses]) => addresses.includes(address.toLowerCase() as Address));
    while (!isRead()) {
      await mine();
      await scannedToHead();
    }
  }

  /** Waits for two read and explained polls, which would find any wrong count. */
  async function twoPolls(): Promise<void> {
    const before = await pollsRead();
    // The third poll is read after the first two are explained.
    while ((await pollsRead()) < before + 3) {
      await mine(BLOCKS_OF_A_PART);
      await scannedToHead();
    }
  }

  return {
    get client() {
      return client;
    },
    get job() {
      return job;
    },
    get servers() {
      return servers;
    },
    watchers,
    watch,
    stopWatchers,
    mine,
    rollBack,
    chainTimeMs,
    signedPayment,
    createJob,
    watchedJob,
    send,
    pay,
    minedToReading,
    minedUntil,
    sumReceived,
    scannedToHead,
    metric,
    twoPolls,
  };
}
