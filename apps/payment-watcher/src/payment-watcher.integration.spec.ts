import { randomBytes } from 'node:crypto';
import { MOST_DEPOSITS_TOLD } from '@maker/contracts';
import { type ChainPart, type MongoPart, type NatsPart, startChain, startMongo, startNats } from '@maker/local-stack';
import { Connection } from '@maker/persistence';
import { ORDER_COST_MINIMUM_WEI } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import {
  type Address,
  createTestClient,
  type Hex,
  http,
  keccak256,
  parseEther,
  publicActions,
  walletActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DepositsRepository } from './deposit/deposits.repository.ts';
import { FakeJobService, type Servers, startPruningNode, startWatcher } from './payment-watcher.fixture.ts';
import { CursorRepository } from './scan/cursor.repository.ts';
import { WatchesRepository } from './watch/watches.repository.ts';

const QUARTER_OF_AN_HOUR_MS = 900_000;
const patient = { timeout: 15_000, interval: 50 };

/** Passes its value on to the address in the first 20 bytes of its calldata. */
const FORWARDER: Address = `0x${'f0'.repeat(20)}`;
const FORWARDER_CODE: Hex = '0x5f5f5f5f345f3560601c5af100';
/** Passes its value on to the address in its storage slot 0: no calldata names it. */
const SPLITTER: Address = `0x${'f1'.repeat(20)}`;
const SPLITTER_CODE: Hex = '0x5f5f5f5f345f545af100';

let mongo: MongoPart;
let nats: NatsPart;
let chain: ChainPart;
let servers: Servers;
let job: FakeJobService;
let client: ReturnType<typeof clientOf>;
const watchers: INestMicroservice[] = [];

function clientOf({ rpcUrl, accounts }: ChainPart) {
  const account = privateKeyToAccount(accounts[1]?.privateKey ?? '0x');
  return createTestClient({ chain: foundry, mode: 'anvil', transport: http(rpcUrl), account, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}

beforeAll(async () => {
  [mongo, nats, chain] = await Promise.all([
    startMongo(),
    startNats(),
    startChain({ exchanges: false, blockSeconds: 0 }),
  ]);
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

/** A payment of 0.5 HYPE that can be sent on any branch of the chain. */
async function signedPayment(to: Address): Promise<Hex> {
  const fees = { gas: 21_000n, gasPrice: 2_000_000_000n };
  const request = await client.prepareTransactionRequest({ to, value: parseEther('0.5'), ...fees });
  return client.signTransaction(request as never);
}

interface Job {
  readonly jobId: string;
  readonly wallet: ReturnType<typeof privateKeyToAccount>;
  readonly address: Address;
  readonly deadlineMs: number;
}

async function createJob(): Promise<Job> {
  const jobId = `job_${randomBytes(16).toString('hex')}`;
  const wallet = privateKeyToAccount(generatePrivateKey());
  const deadlineMs = (await chainTimeMs()) + QUARTER_OF_AN_HOUR_MS;
  await job.createJob(jobId, wallet.address, deadlineMs);
  return { jobId, wallet, address: wallet.address, deadlineMs };
}

/** A job whose address the scanner looks for in every block. */
async function watchedJob(): Promise<Job> {
  const created = await createJob();
  const address = created.address.toLowerCase() as Address;
  await vi.waitFor(async () => {
    await mine();
    const repository = watchers[0]?.get(WatchesRepository);
    expect((await repository?.findMany([address]))?.get(address)?.lookedAtBlock).toEqual(expect.any(Number));
  }, patient);
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

/** Mines until the watcher has said something, at most so many blocks, each after some time to say it. */
async function minedUntil(seen: () => boolean, mostBlocks = 160, patienceMs = 250): Promise<void> {
  for (let blocks = 1; blocks <= mostBlocks; blocks++) {
    await mine();
    await vi.waitFor(() => expect(seen()).toBe(true), { timeout: patienceMs, interval: 20 }).catch(() => undefined);
    if (seen()) return;
  }
  throw new Error(`nothing was seen in ${mostBlocks} blocks`);
}

const sumReceived = (jobId: string) => job.received(jobId).reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);

/** Waits until the watcher has saved the newest block. */
async function scannedToHead(): Promise<void> {
  const head = Number(await client.getBlockNumber());
  await vi.waitFor(async () => {
    expect((await watchers[0]?.get(CursorRepository).read())?.blocks.at(-1)?.number).toBe(head);
  }, patient);
}

/** The sum of a metric's series. */
async function metric(name: string): Promise<number | undefined> {
  const values = (await watchers[0]?.get(MetricsRegistry).getSingleMetric(name)?.get())?.values;
  return values?.reduce((sum, { value }) => sum + value, 0);
}

/** Polls whose balances were read so far. */
async function pollsRead(): Promise<number> {
  const values = (await watchers[0]?.get(MetricsRegistry).getSingleMetric('maker_watcher_poll_seconds')?.get())?.values;
  const count = values?.find(
    ({ labels, ...value }) =>
      labels.scope === 'all' && 'metricName' in value && String(value.metricName).endsWith('_count'),
  );
  return count?.value ?? 0;
}

/** Lets two polls be read and explained, which would find anything that was counted wrongly. */
async function twoPolls(): Promise<void> {
  const before = await pollsRead();
  // The last is read after the two before it are explained.
  while ((await pollsRead()) < before + 3) {
    await mine();
    await scannedToHead();
  }
}

describe('a running watcher', () => {
  beforeEach(async () => {
    await watch();
  });
  afterEach(stopWatchers);

  it('credits a confirmed transfer with sender and time', async () => {
    const { jobId, address } = await watchedJob();
    const receipt = await pay(address, '0.5');
    await minedUntil(() => job.received(jobId).length > 0, 1, 10_000);
    const block = await client.getBlock({ blockNumber: receipt.blockNumber });
    expect(job.received(jobId)).toEqual([
      {
        depositId: `${address.toLowerCase()}:${receipt.transactionHash}`,
        kind: 'transfer',
        amountWei: parseEther('0.5').toString(),
        from: client.account.address.toLowerCase(),
        transactionHash: receipt.transactionHash,
        blockNumber: Number(receipt.blockNumber),
        blockAt: new Date(Number(block.timestamp) * 1000).toISOString(),
        occurrence: 1,
      },
    ]);
  });

  it('reports a payment before its confirmation', async () => {
    const { jobId, address } = await watchedJob();
    await pay(address, '0.5');
    const seen = [{ seenWei: parseEther('0.5').toString(), revision: 1 }];
    await vi.waitFor(() => expect(job.seen(jobId)).toEqual(seen), patient);
    expect(job.received(jobId)).toEqual([]);
    await minedUntil(() => job.received(jobId).length > 0, 1, 10_000);
    await pay(address, '0.1');
    await minedUntil(() => job.received(jobId).length > 1);
    expect(job.seen(jobId)).toEqual([...seen, { seenWei: parseEther('0.6').toString(), revision: 2 }]);
  });

  it('credits two partial transfers in any blocks', async () => {
    const { jobId, address } = await watchedJob();
    await send(address, '0.1');
    await send(address, '0.2');
    await mine();
    await pay(address, '0.3');
    await minedUntil(() => job.received(jobId).length === 3);
    await twoPolls();
    expect(job.received(jobId).map(({ kind }) => kind)).toEqual(['transfer', 'transfer', 'transfer']);
    expect(sumReceived(jobId)).toBe(parseEther('0.6'));
  });

  it('credits a contract’s payment with its transaction', async () => {
    const { jobId, address } = await watchedJob();
    const receipt = await pay(FORWARDER, '0.5', address);
    await minedUntil(() => job.received(jobId).length > 0, 3, 3000);
    await twoPolls();
    expect(job.received(jobId)).toHaveLength(1);
    expect(job.received(jobId)[0]).toMatchObject({
      kind: 'internal',
      amountWei: parseEther('0.5').toString(),
      transactionHash: receipt.transactionHash,
      blockNumber: Number(receipt.blockNumber),
    });
  });

  it('credits a contract’s payment to an unnamed address', async () => {
    const { jobId, address } = await watchedJob();
    await client.setStorageAt({ address: SPLITTER, index: 0, value: `0x${address.slice(2).padStart(64, '0')}` });
    await pay(SPLITTER, '0.5', '0x01');
    await minedUntil(() => job.received(jobId).length > 0);
    expect(job.received(jobId)).toMatchObject([{ kind: 'balance', amountWei: parseEther('0.5').toString() }]);
  });

  it('credits each HyperCore rise once', async () => {
    const { jobId, address } = await watchedJob();
    await client.setBalance({ address, value: parseEther('0.2') });
    await minedUntil(() => job.received(jobId).length === 1);
    await client.setBalance({ address, value: parseEther('0.5') });
    await minedUntil(() => job.received(jobId).length === 2);
    await twoPolls();
    expect(job.received(jobId).map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['balance', parseEther('0.2').toString()],
      ['balance', parseEther('0.3').toString()],
    ]);
  });

  it('drops a vanished rise after an equal transfer', async () => {
    const { jobId, address } = await watchedJob();
    await client.setBalance({ address, value: parseEther('0.5') });
    // No block too many: it would be confirmed by it.
    await minedUntil(() => job.seen(jobId).length > 0, 40, 10_000);
    expect(job.received(jobId)).toEqual([]);
    await client.setBalance({ address, value: 0n });
    await pay(address, '0.5');
    await minedUntil(() => job.received(jobId).length > 0);
    await twoPolls();
    expect(job.received(jobId)).toMatchObject([{ kind: 'transfer', amountWei: parseEther('0.5').toString() }]);
  });

  it('drops an unconfirmed rise once the wallet spends', async () => {
    const { jobId, address, wallet } = await watchedJob();
    await client.setBalance({ address, value: parseEther('0.5') });
    // No block too many: it would be confirmed by it.
    await minedUntil(() => job.seen(jobId).length > 0, 40, 10_000);
    const value = parseEther('0.1');
    await client.sendTransaction({ account: wallet, to: FORWARDER, value, gas: 100_000n, gasPrice: 2_000_000_000n });
    await mine(3);
    await scannedToHead();
    await minedUntil(() => job.seen(jobId).at(-1)?.seenWei === '0', 40, 10_000);
    expect(job.received(jobId)).toEqual([]);
  });

  it('separates a transfer and a rise together', async () => {
    const { jobId, address } = await watchedJob();
    await send(address, '0.2');
    await send(FORWARDER, '0.3', address);
    await mine();
    await minedUntil(() => job.received(jobId).length === 2);
    await twoPolls();
    const received = job.received(jobId).toSorted((a, b) => a.kind.localeCompare(b.kind));
    expect(received.map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['internal', parseEther('0.3').toString()],
      ['transfer', parseEther('0.2').toString()],
    ]);
  });

  it('leaves out a transfer that failed', async () => {
    const { jobId, address } = await watchedJob();
    await client.setCode({ address, bytecode: '0x5f5ffd' });
    const receipt = await pay(address, '0.5');
    expect(receipt.status).toBe('reverted');
    await client.setCode({ address, bytecode: '0x' });
    await pay(address, '0.25');
    await minedUntil(() => job.received(jobId).length > 0);
    expect(sumReceived(jobId)).toBe(parseEther('0.25'));
  });

  it('finds a payment from before the watch', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    const receipt = await pay(wallet.address, '0.5');
    await mine(5);
    await job.createJob(jobId, wallet.address, (await chainTimeMs()) + QUARTER_OF_AN_HOUR_MS);
    await minedUntil(() => job.received(jobId).length > 0);
    await twoPolls();
    expect(job.received(jobId)).toMatchObject([
      { kind: 'transfer', from: client.account.address.toLowerCase(), transactionHash: receipt.transactionHash },
    ]);
  });

  it('credits before the deadline, then reports it once', async () => {
    const { jobId, address, deadlineMs } = await watchedJob();
    await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000) });
    await pay(address, '0.5');
    await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 1) });
    await minedUntil(() => job.passed(jobId).length > 0);
    await twoPolls();
    expect(job.received(jobId)).toMatchObject([{ kind: 'transfer', blockAt: new Date(deadlineMs).toISOString() }]);
    expect(job.passed(jobId)).toHaveLength(1);
    expect(job.passed(jobId)[0]?.receivedWei).toBe(parseEther('0.5').toString());
    expect(Date.parse(job.passed(jobId)[0]?.blockAt ?? '')).toBeGreaterThan(deadlineMs);
  });

  it('reads the balance once more after the deadline', async () => {
    await stopWatchers();
    await watch(3600);
    const { jobId, address, deadlineMs } = await watchedJob();
    await client.setBalance({ address, value: parseEther('0.5') });
    await mine();
    await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 100) });
    await minedUntil(() => job.passed(jobId).length > 0);
    expect(job.received(jobId)).toMatchObject([{ kind: 'balance', blockAt: new Date(deadlineMs).toISOString() }]);
    expect(job.passed(jobId)[0]?.receivedWei).toBe(parseEther('0.5').toString());
  });

  it('credits late money as late', async () => {
    const { jobId, address, deadlineMs } = await watchedJob();
    await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 1) });
    await pay(address, '0.5');
    await minedUntil(() => job.passed(jobId).length > 0);
    expect(job.passed(jobId)[0]?.receivedWei).toBe('0');
    expect(sumReceived(jobId)).toBe(parseEther('0.5'));
  });

  it('follows blocks only once the wallet spends', async () => {
    const { jobId, wallet, address } = await watchedJob();
    await pay(address, '0.5');
    await minedUntil(() => job.received(jobId).length > 0);
    await client.sendTransaction({
      account: wallet,
      to: FORWARDER,
      value: parseEther('0.1'),
      data: client.account.address,
      gas: 100_000n,
      gasPrice: 2_000_000_000n,
    });
    await mine();
    await pay(address, '0.2');
    await minedUntil(() => job.received(jobId).length === 2);
    await mine(3);
    expect(job.received(jobId).map(({ kind }) => kind)).toEqual(['transfer', 'transfer']);
    expect(sumReceived(jobId)).toBe(parseEther('0.7'));
  });

  it('watches for 24 h after a job’s end', async () => {
    const { jobId, address } = await watchedJob();
    await job.changeStatus(jobId, 'pending_payment', 'cancelled');
    await pay(address, '0.5');
    await minedUntil(() => job.received(jobId).length > 0);
    expect(sumReceived(jobId)).toBe(parseEther('0.5'));
  });

  it('rewrites no row for an unchanged balance', async () => {
    const { jobId, address } = await watchedJob();
    const key = address.toLowerCase() as Address;
    const readAtBlock = async () =>
      (await watchers[0]?.get(WatchesRepository).findMany([key]))?.get(key)?.lookedAtBlock;
    await twoPolls();
    const before = await readAtBlock();
    await twoPolls();
    expect(await readAtBlock()).toBe(before);
    await client.setBalance({ address, value: parseEther('0.5') });
    await minedUntil(() => job.received(jobId).length > 0);
    expect(sumReceived(jobId)).toBe(parseEther('0.5'));
  });

  it('reads abandoned addresses less often and once finally', async () => {
    const { jobId, address, deadlineMs } = await watchedJob();
    const key = address.toLowerCase() as Address;
    const after = async (minutes: number) => {
      await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + minutes * 60) });
      await mine();
    };
    const watchNow = async () => (await watchers[0]?.get(WatchesRepository).findMany([key]))?.get(key);
    await after(1);
    await minedUntil(() => job.passed(jobId).length > 0);
    await job.changeStatus(jobId, 'pending_payment', 'payment_expired');
    await after(100);
    await watchedJob();
    await twoPolls();
    const readAt = (await watchNow())?.lookedAt;
    expect(readAt?.getTime()).toBeGreaterThanOrEqual(deadlineMs + 100 * 60_000);
    // Due after an eighth of the hundred minutes.
    await after(111);
    await watchedJob();
    await twoPolls();
    expect((await watchNow())?.lookedAt).toEqual(readAt);
    await client.setBalance({ address, value: ORDER_COST_MINIMUM_WEI });
    await after(24 * 60 + 30);
    await minedUntil(() => job.received(jobId).length > 0);
    await vi.waitFor(async () => {
      await mine();
      expect(await watchNow()).toBeUndefined();
    }, patient);
    expect(sumReceived(jobId)).toBe(ORDER_COST_MINIMUM_WEI);
  }, 150_000);

  it('credits a payment only in its final block', async () => {
    const { jobId, address } = await watchedJob();
    const transaction = await signedPayment(address);
    await client.sendRawTransaction({ serializedTransaction: transaction });
    await mine();
    await scannedToHead();
    await rollBack(1);
    await mine(6);
    await twoPolls();
    expect(job.received(jobId)).toEqual([]);
    expect(job.seen(jobId).map(({ seenWei }) => seenWei)).toEqual([parseEther('0.5').toString(), '0']);
    expect(await metric('maker_watcher_reorgs_total')).toBe(1);
    const hash = await client.sendRawTransaction({ serializedTransaction: transaction });
    await mine();
    const { blockNumber } = await client.getTransactionReceipt({ hash });
    await minedUntil(() => job.received(jobId).length > 0);
    await twoPolls();
    expect(job.received(jobId)).toMatchObject([{ transactionHash: hash, blockNumber: Number(blockNumber) }]);
  });

  it('credits nothing twice across a reorganisation', async () => {
    const { jobId, address } = await watchedJob();
    await pay(address, '0.1');
    await minedUntil(() => job.received(jobId).length === 1);
    await mine(6);
    await scannedToHead();
    await rollBack(4);
    await pay(address, '0.2');
    await mine(6);
    await minedUntil(() => job.received(jobId).length === 2);
    await twoPolls();
    expect(await metric('maker_watcher_reorgs_total')).toBe(1);
    expect(sumReceived(jobId)).toBe(parseEther('0.3'));
  });

  describe('whose credited payment leaves the chain with several blocks', () => {
    /** Pays, lets the payment be credited, and rolls the chain back to before it. */
    async function creditedAndRolledBack(): Promise<Job & { readonly transaction: Hex }> {
      const created = await watchedJob();
      const transaction = await signedPayment(created.address);
      await client.sendRawTransaction({ serializedTransaction: transaction });
      await mine();
      await minedUntil(() => job.received(created.jobId).length === 1);
      await mine(2);
      await scannedToHead();
      const receipt = await client.getTransactionReceipt({ hash: keccak256(transaction) });
      await rollBack(Number((await client.getBlockNumber()) - receipt.blockNumber) + 1);
      return { ...created, transaction };
    }

    it('reports a dropped payment once and uncounts it', async () => {
      const { jobId, deadlineMs } = await creditedAndRolledBack();
      await minedUntil(() => job.dropped(jobId).length > 0);
      await twoPolls();
      const [received] = job.received(jobId);
      expect(job.dropped(jobId)).toEqual([received]);
      expect(job.received(jobId)).toHaveLength(1);
      expect(await metric('maker_payment_credited_then_dropped_total')).toBe(1);
      expect((await job.credited(jobId)).deposits).toEqual([]);
      await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 1) });
      await minedUntil(() => job.passed(jobId).length > 0);
      expect(job.passed(jobId)[0]?.receivedWei).toBe('0');
    });

    it('reports the new block of the same deposit', async () => {
      const { jobId, transaction } = await creditedAndRolledBack();
      await client.setNextBlockTimestamp({ timestamp: (await client.getBlock()).timestamp + 100n });
      await mine();
      const hash = await client.sendRawTransaction({ serializedTransaction: transaction });
      await minedUntil(() => job.received(jobId).length === 2);
      await mine(8);
      await twoPolls();
      const [first, second] = job.received(jobId);
      const { blockNumber } = await client.getTransactionReceipt({ hash });
      expect(second).toEqual({
        ...first,
        occurrence: 2,
        blockNumber: Number(blockNumber),
        blockAt: expect.not.stringMatching(String(first?.blockAt)),
      });
      expect(job.dropped(jobId)).toEqual([]);
      expect(job.received(jobId)).toHaveLength(2);
    });

    it('credits a payment mined long after its drop', async () => {
      const { jobId, transaction } = await creditedAndRolledBack();
      await minedUntil(() => job.dropped(jobId).length > 0);
      await client.sendRawTransaction({ serializedTransaction: transaction });
      await minedUntil(() => job.received(jobId).length === 2);
      expect(job.received(jobId).map(({ occurrence }) => occurrence)).toEqual([1, 2]);
    });

    it('drops a rise missing from the new branch', async () => {
      const { jobId, address } = await watchedJob();
      await client.setBalance({ address, value: parseEther('0.2') });
      await minedUntil(() => job.received(jobId).length === 1);
      await mine(2);
      await scannedToHead();
      const { blockNumber } = job.received(jobId)[0] ?? { blockNumber: 0 };
      await rollBack(Number(await client.getBlockNumber()) - blockNumber + 1);
      await client.setBalance({ address, value: 0n });
      await minedUntil(() => job.dropped(jobId).length > 0);
      await twoPolls();
      expect(job.dropped(jobId)).toMatchObject([{ kind: 'balance', amountWei: parseEther('0.2').toString() }]);
      expect(job.received(jobId)).toHaveLength(1);
    });
  });

  it('reports what is credited up to which block', async () => {
    const { jobId, address } = await watchedJob();
    const { blockNumber, transactionHash } = await pay(address, '0.5');
    await scannedToHead();
    expect((await job.credited(jobId)).completeToBlock).toBeLessThan(Number(blockNumber));
    await minedUntil(() => job.received(jobId).length > 0);
    const { completeToBlock, deposits } = await job.credited(jobId);
    expect(completeToBlock).toBeGreaterThanOrEqual(Number(blockNumber));
    expect(deposits).toMatchObject([
      { depositId: `${address.toLowerCase()}:${transactionHash}`, kind: 'transfer', transactionHash },
    ]);
    expect(await job.credited(`job_${'0'.repeat(32)}`)).toEqual({ completeToBlock: -1, deposits: [] });
  });

  it('credits payments in time despite others’ dust', async () => {
    const [dusted, paid] = [await watchedJob(), await watchedJob()];
    const firstNonce = await client.getTransactionCount({ address: client.account.address });
    const dust = { to: dusted.address, value: 1n, gas: 21_000n, gasPrice: 2_000_000_000n };
    const send = (index: number) => client.sendTransaction({ ...dust, nonce: firstNonce + index });
    await Promise.all(Array.from({ length: 250 }, (_, index) => send(index)));
    await mine();
    await pay(paid.address, '0.5');
    await mine();
    await vi.waitFor(() => expect(sumReceived(paid.jobId)).toBe(parseEther('0.5')), patient);
    expect(job.received(dusted.jobId)).toEqual([]);
    expect(await job.credited(dusted.jobId)).toMatchObject({ deposits: [], dustWei: '250' });
  });

  it('reads one deposit per address to find undecided ones', async () => {
    const [dusted, quiet] = [await watchedJob(), await watchedJob()];
    const firstNonce = await client.getTransactionCount({ address: client.account.address });
    const least = { to: dusted.address, value: ORDER_COST_MINIMUM_WEI, gas: 21_000n, gasPrice: 2_000_000_000n };
    const send = (index: number) => client.sendTransaction({ ...least, nonce: firstNonce + index });
    await Promise.all(Array.from({ length: 250 }, (_, index) => send(index)));
    await mine();
    await scannedToHead();
    const { db } = watchers[0]?.get(Connection) ?? {};
    const deposits = watchers[0]?.get(DepositsRepository);
    const metrics = async () => (await db?.admin().serverStatus())?.metrics;
    const returned = async () => Number((await metrics())?.document.returned);
    const examined = async () => Number((await metrics())?.queryExecutor.scannedObjects);
    // The counts are the server's: what the watcher reads meanwhile for its own work is in some of them.
    const countOf = async (counter: () => Promise<number>, work: () => Promise<unknown> | undefined) => {
      const before = await counter();
      await work();
      return (await counter()) - before;
    };
    const addresses = [dusted.address, quiet.address].map((address) => address.toLowerCase() as Address);
    const findUndecided = () => deposits?.addressesWithUndecided(addresses);
    await expect.poll(() => countOf(returned, findUndecided), patient).toBeLessThan(100);
    expect([...((await findUndecided()) ?? [])]).toEqual([dusted.address.toLowerCase()]);
    const head = Number(await client.getBlockNumber());
    const sumUp = () => deposits?.sumsUpTo(head, addresses);
    await expect.poll(() => countOf(examined, sumUp), patient).toBeLessThan(100);
    const sums = await sumUp();
    expect([...(sums ?? [])]).toEqual([[dusted.address.toLowerCase(), 250n * ORDER_COST_MINIMUM_WEI]]);
    await minedUntil(() => job.received(dusted.jobId).length === 250);
  });

  it('pages through any number of deposits', async () => {
    const { jobId, address } = await watchedJob();
    const firstNonce = await client.getTransactionCount({ address: client.account.address });
    const deposit = { to: address, value: ORDER_COST_MINIMUM_WEI, gas: 21_000n, gasPrice: 2_000_000_000n };
    const send = (index: number) => client.sendTransaction({ ...deposit, nonce: firstNonce + index });
    await Promise.all(Array.from({ length: MOST_DEPOSITS_TOLD + 1 }, (_, index) => send(index)));
    await minedUntil(() => job.received(jobId).length > MOST_DEPOSITS_TOLD);
    const first = await job.credited(jobId);
    expect(first.deposits).toHaveLength(MOST_DEPOSITS_TOLD);
    const second = await job.credited(jobId, first.deposits.at(-1)?.depositId);
    const ids = [...first.deposits, ...second.deposits].map(({ depositId }) => depositId);
    expect(ids.toSorted()).toEqual(
      job
        .received(jobId)
        .map(({ depositId }) => depositId)
        .toSorted(),
    );
  });
});

describe('a watcher that was down', () => {
  afterEach(stopWatchers);

  it('catches up hundreds of blocks without double credits', async () => {
    await watch();
    const first = await watchedJob();
    await pay(first.address, '0.1');
    await stopWatchers();
    const second = await createJob();
    await pay(first.address, '0.2');
    await mine(150);
    await pay(FORWARDER, '0.3', first.address);
    await pay(second.address, '0.5');
    await mine(150);
    await watch();
    await minedUntil(() => job.received(first.jobId).length === 3 && job.received(second.jobId).length === 1);
    await twoPolls();
    const kinds = job.received(first.jobId).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['internal', 'transfer', 'transfer']);
    expect(sumReceived(first.jobId)).toBe(parseEther('0.6'));
    expect(job.received(second.jobId)).toMatchObject([{ kind: 'transfer' }]);
  });

  it('credits deposits seen before an upgrade', async () => {
    const before = await watch();
    const { jobId, address } = await watchedJob();
    await pay(address, '0.5');
    await vi.waitFor(() => expect(job.seen(jobId)).not.toEqual([]), patient);
    await before
      .get(Connection)
      .collection('deposits')
      .updateMany({}, { $unset: { isDust: 1 } });
    await stopWatchers();
    await watch();
    await minedUntil(() => job.received(jobId).length > 0);
    expect(sumReceived(jobId)).toBe(parseEther('0.5'));
  });

  it('credits a timely payment after downtime', async () => {
    await watch();
    const { jobId, address, deadlineMs } = await watchedJob();
    await stopWatchers();
    await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000) });
    await pay(address, '0.5');
    await client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 3600) });
    await mine(3);
    await watch();
    await minedUntil(() => job.passed(jobId).length > 0);
    expect(job.received(jobId)).toMatchObject([{ blockAt: new Date(deadlineMs).toISOString() }]);
    expect(job.passed(jobId)[0]?.receivedWei).toBe(parseEther('0.5').toString());
  });

  it('finds payments in pruned blocks by balance', async () => {
    const node = await startPruningNode(chain.rpcUrl);
    await watch();
    const { jobId, address } = await watchedJob();
    await scannedToHead();
    await stopWatchers();
    await pay(address, '0.5');
    await mine(50);
    node.pruneBelow = Number(await client.getBlockNumber()) - 10;
    watchers.push(await startWatcher({ ...servers, rpcUrl: node.url }));
    await minedUntil(() => job.received(jobId).length > 0);
    expect(await metric('maker_watcher_missed_blocks_total')).toBeGreaterThan(30);
    await twoPolls();
    expect(job.received(jobId)).toMatchObject([{ kind: 'balance', amountWei: parseEther('0.5').toString() }]);
    await stopWatchers();
    await node.stop();
  });
});

describe('a watcher with two endpoints', () => {
  afterEach(stopWatchers);

  it('credits when both endpoints have the block', async () => {
    const other = await startPruningNode(chain.rpcUrl);
    watchers.push(await startWatcher({ ...servers, otherRpcUrl: other.url }));
    const [atOnce, later] = [await watchedJob(), await watchedJob()];
    await pay(atOnce.address, '0.5');
    await vi.waitFor(() => expect(job.received(atOnce.jobId)).toHaveLength(1), patient);

    other.pruneBelow = Number.POSITIVE_INFINITY;
    await pay(later.address, '0.5');
    await vi.waitFor(() => expect(job.seen(later.jobId)).toHaveLength(1), patient);
    await scannedToHead();
    expect(job.received(later.jobId)).toEqual([]);
    await minedUntil(() => job.received(later.jobId).length > 0, 1, 10_000);
    await stopWatchers();
    await other.stop();
  });
});

describe('two watchers at once', () => {
  afterEach(stopWatchers);

  it('credit once, with a standby that takes over', async () => {
    await watch();
    await watch();
    const { jobId, address } = await watchedJob();
    await pay(address, '0.1');
    await minedUntil(() => job.received(jobId).length === 1);
    await watchers.shift()?.close();
    await pay(address, '0.2');
    await minedUntil(() => job.received(jobId).length === 2);
    await twoPolls();
    expect(sumReceived(jobId)).toBe(parseEther('0.3'));
  });
});
