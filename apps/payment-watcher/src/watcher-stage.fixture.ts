import { randomBytes } from 'node:crypto';
import {
  type ChainPart,
  type NatsPart,
  type OpenDatabases,
  openDatabases,
  startChain,
  startNats,
  type TestDatabases,
} from '@maker/local-stack';
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
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { cursorsOf, FakeJobService, type Servers, startWatcher } from './payment-watcher.fixture.ts';
import { WatchesRepository } from './watch/watches.repository.ts';

export const QUARTER_OF_AN_HOUR_MS = 900_000;
/** Options to wait for a few blocks. */
export const PATIENT = { timeout: 15_000, interval: 50 };
/** The same if each check mines a block, which the watcher then reads. */
const MINING = { ...PATIENT, interval: 200 };

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

  beforeAll(async () => {
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

  /** Mines until a check passes, at most `mostBlocks`, with `patienceMs` of waiting after each block. */
  async function minedUntil(seen: () => boolean, mostBlocks = 160, patienceMs = 250): Promise<void> {
    for (let blocks = 1; blocks <= mostBlocks; blocks++) {
      await mine();
      await vi.waitFor(() => expect(seen()).toBe(true), { timeout: patienceMs, interval: 20 }).catch(() => undefined);
      if (seen()) return;
    }
    throw new Error(`the check did not pass in ${mostBlocks} blocks`);
  }

  const sumReceived = (jobId: string) =>
    job.received(jobId).reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);

  /** Waits until a watcher has scanned the newest block. */
  async function scannedToHead(): Promise<void> {
    const head = Number(await client.getBlockNumber());
    await vi.waitFor(async () => expect(await cursorsOf(watchers)).toContain(head), PATIENT);
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

  /** Waits for two read and explained polls, which would find any wrong count. */
  async function twoPolls(): Promise<void> {
    const before = await pollsRead();
    // The third poll is read after the first two are explained.
    while ((await pollsRead()) < before + 3) {
      await mine();
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
    minedUntil,
    sumReceived,
    scannedToHead,
    metric,
    twoPolls,
  };
}
