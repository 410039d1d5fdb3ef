import { randomBytes } from 'node:crypto';
import { SYSTEM_ADDRESS } from '@maker/hyperevm-node';
import { type NatsPart, openDatabases, startNats, type TestDatabases } from '@maker/local-stack';
import { Connection } from '@maker/persistence';
import type { INestMicroservice } from '@nestjs/common';
import { type Address, type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OwnNode, rpc, startOwnNode } from '../../../libs/hyperevm-node/src/own-node.fixture.ts';
import { SEARCH_ROUND_MS } from './find-wrong-assets/scheduled-search.ts';
import { FakeJobService, passTime, type Servers, startWatcher } from './payment-watcher.fixture.ts';
import { WatchesRepository } from './watch/watches.repository.ts';

const AMOUNT = parseEther('0.25');
const patient = { timeout: 28_000, interval: 50 };

let mongo: TestDatabases;
let nats: NatsPart;
let node: OwnNode;
let job: FakeJobService;
let servers: Servers;
let watcher: INestMicroservice;

beforeAll(async () => {
  mongo = openDatabases();
  [nats, node] = await Promise.all([startNats(), startOwnNode({ blockMs: 100 })]);
  servers = {
    natsUrl: nats.url,
    rpcUrl: node.rpcUrl,
    hyperCoreUrl: node.rpcUrl,
    watcherMongoUrl: mongo.urlOf('payment_watcher'),
    jobMongoUrl: mongo.urlOf('job'),
  };
  job = await FakeJobService.start(servers);
  watcher = await startWatcher(servers, 1);
});

afterAll(async () => {
  await watcher?.close();
  await job?.stop();
  await Promise.all([mongo?.stop(), nats?.stop(), node?.stop()]);
});

/** Creates a job whose address is watched and was read as empty. */
async function watchedJob() {
  const jobId = `job_${randomBytes(16).toString('hex')}`;
  const address = privateKeyToAddress(generatePrivateKey()).toLowerCase() as Address;
  const { timestamp } = await rpc<{ timestamp: Hex }>(node.rpcUrl, 'eth_getBlockByNumber', 'latest', false);
  await job.createJob(jobId, address, Number(timestamp) * 1000 + 900_000);
  await vi.waitFor(async () => {
    const watch = (await watcher.get(WatchesRepository).findMany([address])).get(address);
    expect(watch?.readAtBlock).toEqual(expect.any(Number));
  }, patient);
  return { jobId, address };
}

/** Moves HYPE from HyperCore to the same address on HyperEVM, with the next block. */
async function credit(address: Address): Promise<void> {
  await node.control.core.credit(address, AMOUNT);
  await node.control.core.send(address, SYSTEM_ADDRESS, AMOUNT);
}

/** Returns the block of the credit, according to the node. */
async function blockOf(hash: Hex, from: number): Promise<number | undefined> {
  const head = Number(await rpc<Hex>(node.rpcUrl, 'eth_blockNumber'));
  for (let number = from; number <= head; number++) {
    const shown = await rpc<{ hash: Hex }[]>(node.rpcUrl, 'eth_getSystemTxsByBlockNumber', `0x${number.toString(16)}`);
    if (shown.some((transaction) => transaction.hash === hash)) return number;
  }
  return undefined;
}

describe('HYPE that HyperCore credits to a job’s address', () => {
  it.each([
    ['left out of blocks', false],
    ['included in blocks', true],
  ])('is one deposit without a sender: %s', async (_, includeSystemTransactions) => {
    await node.control.setSwitches({ includeSystemTransactions });
    const { jobId, address } = await watchedJob();
    const from = Number(await rpc<Hex>(node.rpcUrl, 'eth_blockNumber'));
    await credit(address);
    await vi.waitFor(() => expect(job.received(jobId)).toHaveLength(1), patient);
    const [deposit] = job.received(jobId);
    expect(deposit).toMatchObject({ kind: 'system', amountWei: AMOUNT.toString() });
    expect(deposit).not.toHaveProperty('from');
    expect(deposit?.blockNumber).toBe(await blockOf(deposit?.transactionHash as Hex, from));
    // Two equal credits are two deposits.
    await credit(address);
    await vi.waitFor(() => expect(job.received(jobId)).toHaveLength(2), patient);
    expect(new Set(job.received(jobId).map(({ transactionHash }) => transactionHash)).size).toBe(2);
  });
});

describe('HYPE that was sent to a job’s address on HyperCore', () => {
  it('is reported before expiry and on an operator’s request', async () => {
    const { jobId, address } = await watchedJob();
    const empty = await watchedJob();
    await node.control.core.credit(address, AMOUNT);
    const { timestamp } = await rpc<{ timestamp: Hex }>(node.rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    await node.control.request('evm_setNextBlockTimestamp', Number(timestamp) + 1000);
    for (const { jobId: expired } of [{ jobId }, empty]) {
      await vi.waitFor(() => expect(job.passed(expired)).toHaveLength(1), patient);
    }
    expect(job.onHyperCore(jobId)).toMatchObject([{ amountWei: AMOUNT.toString() }]);
    expect(job.onHyperCore(empty.jobId)).toEqual([]);
    expect(job.received(jobId)).toEqual([]);

    await node.control.core.send(address, privateKeyToAddress(generatePrivateKey()), AMOUNT);
    expect(await job.findOnHyperCore(jobId, address)).toMatchObject({ amountWei: '0' });
    await vi.waitFor(() => expect(job.onHyperCore(jobId).at(-1)).toMatchObject({ amountWei: '0' }), patient);
  });

  it('is reported as gone without an operator’s request', async () => {
    const { jobId, address } = await watchedJob();
    await node.control.core.credit(address, AMOUNT);
    await job.findOnHyperCore(jobId, address);
    await job.changeStatus(jobId, 'pending_payment', 'payment_expired');
    await node.control.core.send(address, privateKeyToAddress(generatePrivateKey()), AMOUNT);
    const watches = watcher.get(Connection).collection<{ _id: string }>('watches');
    await vi.waitFor(async () => {
      const ended = { _id: address, watchUntil: { $ne: null } };
      const due = { closed: true, watchUntil: new Date(0), 'finds.hyperCore.againAt': new Date() };
      expect((await watches.updateOne(ended as object, { $set: due })).matchedCount).toBe(1);
    }, patient);
    passTime(watcher, SEARCH_ROUND_MS);
    await vi.waitFor(
      () => expect(job.onHyperCore(jobId).map(({ amountWei }) => amountWei)).toEqual([`${AMOUNT}`, '0']),
      patient,
    );
  });
});

it('a watcher starts without recipient-less calls', async () => {
  await watcher.close();
  // Without Multicall3, the reader trusts balances only if no block arrived during the reading.
  await node.control.setBlockInterval(500);
  await node.control.setSwitches({ refuseDeploylessCalls: true, includeSystemTransactions: false });
  watcher = await startWatcher(servers, 1);
  const { jobId, address } = await watchedJob();
  await credit(address);
  await vi.waitFor(() => expect(job.received(jobId)).toMatchObject([{ amountWei: AMOUNT.toString() }]), patient);
});
