import { randomBytes } from 'node:crypto';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultyNode } from '../../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { LyingEndpoint } from '../../../libs/chain/src/endpoints/lying-endpoint.fixture.ts';
import { HostileBlocks, type WatchedJob } from './hostile-blocks.fixture.ts';

const LIAR: Address = `0x${'bb'.repeat(20)}`;
const AMOUNT = parseEther('0.5');
/** In millionths. */
const TWICE = 2_000_000n;
const suspicious = { CHAIN_TRUST_SINGLE_ENDPOINT: false };
/** A hidden payment is found by the next poll. */
const POLLING = { WATCHER_POLL_INTERVAL_SECONDS: 0.1 };
/** For tests that scan hundreds of blocks. */
const SLOW = { timeout: 240_000 };

let blocks: HostileBlocks;
let liar: LyingEndpoint;

beforeAll(async () => {
  blocks = await HostileBlocks.start();
});
afterAll(() => blocks?.stop());
beforeEach(async () => {
  liar = await LyingEndpoint.start(blocks.rpcUrl);
});
afterEach(async () => {
  await blocks.stopWatchers();
  await liar.stop();
});

async function jobs(count: number): Promise<readonly [WatchedJob, WatchedJob]> {
  return (await blocks.watchedJobs(count)) as unknown as readonly [WatchedJob, WatchedJob];
}

it('is never a payer, even alone and trusted', async () => {
  await blocks.watch(liar.url);
  const [attacked] = await jobs(1);
  liar.lieAbout(attacked.address, { sender: LIAR });
  await blocks.send(attacked.address, AMOUNT);
  await blocks.minedUntil(() => expect(blocks.job.received(attacked.jobId)).toHaveLength(1));
  expect(blocks.job.received(attacked.jobId)[0]).toMatchObject({ amountWei: AMOUNT.toString(), from: blocks.payer });
});

it('hides no payer while the other endpoint is slow', async () => {
  const other = await FaultyNode.start(blocks.rpcUrl);
  try {
    await blocks.watch(liar.url, { ...suspicious, CHAIN_RPC_URLS: [liar.url, other.url] });
    const [attacked] = await jobs(1);
    liar.lieAbout(attacked.address, { amount: TWICE });
    other.fault = ({ method }) => (method === 'eth_getTransactionByHash' ? { status: 503 } : undefined);
    await blocks.send(attacked.address, AMOUNT);
    // Its block proves the sender, without that method.
    await blocks.minedUntil(() => expect(blocks.job.received(attacked.jobId)).toHaveLength(1));
    expect(blocks.job.received(attacked.jobId)[0]).toMatchObject({
      kind: 'transfer',
      amountWei: AMOUNT.toString(),
      from: blocks.payer,
    });
    other.fault = () => undefined;
    await blocks.mineScanned(8);
    expect(blocks.job.received(attacked.jobId)).toHaveLength(1);
  } finally {
    await blocks.stopWatchers();
    await other.stop();
  }
});

/** Two payments to a job's address, the second one as a top-up, with a check after each. */
const payments = [
  ['one payment', [AMOUNT]],
  ['a top-up', [AMOUNT / 2n, AMOUNT / 2n]],
] as const;

it.each(payments)('hides no payer by leaving out %s', SLOW, async (_, amounts) => {
  await blocks.watch(liar.url, { ...suspicious, ...POLLING, CHAIN_RPC_URLS: [liar.url, blocks.rpcUrl] });
  const [attacked] = await jobs(1);
  for (const [index, amount] of amounts.entries()) {
    // The first part of a top-up is shown by both endpoints.
    if (index === amounts.length - 1) liar.lieAbout(attacked.address, { omits: true });
    await blocks.send(attacked.address, amount);
    await blocks.minedUntil(() => expect(blocks.job.received(attacked.jobId)).toHaveLength(index + 1));
    expect(blocks.job.received(attacked.jobId)[index]).toMatchObject({
      kind: 'transfer',
      amountWei: amount.toString(),
      from: blocks.payer,
    });
  }
  await blocks.mineScanned(6);
  expect(blocks.job.received(attacked.jobId)).toHaveLength(amounts.length);
});

it('names the payer though the other endpoint is away', async () => {
  const other = await FaultyNode.start(blocks.rpcUrl);
  try {
    await blocks.watch(liar.url, { ...suspicious, CHAIN_RPC_URLS: [liar.url, other.url] });
    const [paid] = await jobs(1);
    other.fault = () => ({ status: 503 });
    await blocks.send(paid.address, AMOUNT);
    await blocks.minedUntil(() => expect(blocks.job.received(paid.jobId)).toHaveLength(1));
    expect(blocks.job.received(paid.jobId)[0]).toMatchObject({ kind: 'transfer', from: blocks.payer });
  } finally {
    await blocks.stopWatchers();
    await other.stop();
  }
});

it('credits a contract’s payment once every host was asked', SLOW, async () => {
  await blocks.watch(liar.url, { ...suspicious, ...POLLING, CHAIN_RPC_URLS: [liar.url, blocks.rpcUrl] });
  const [paid] = await jobs(1);
  await blocks.setBalance(paid.address, AMOUNT);
  await blocks.minedUntil(() => expect(blocks.job.received(paid.jobId)).toHaveLength(1));
  expect(blocks.job.received(paid.jobId)[0]).toMatchObject({ kind: 'balance', amountWei: AMOUNT.toString() });
});

it('hides no payer of a payment before the watch', async () => {
  await blocks.watch(liar.url, { ...suspicious, CHAIN_RPC_URLS: [liar.url, blocks.rpcUrl] });
  const address = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address;
  const jobId = `job_${randomBytes(16).toString('hex')}`;
  liar.lieAbout(address, { amount: TWICE });
  await blocks.send(address, AMOUNT);
  await blocks.mine();
  await blocks.job.createJob(jobId, address, Date.now() + 900_000);
  await blocks.minedUntil(() => expect(blocks.job.received(jobId)).toHaveLength(1));
  expect(blocks.job.received(jobId)[0]).toMatchObject({ kind: 'transfer', from: blocks.payer });
});

describe('an endpoint with block times in the future', () => {
  const DAY_SECONDS = 86_400;

  /** Shifts the block times that the lying endpoint shows, from the next block on. */
  const lieAhead = async (seconds: number) => {
    liar.aheadFromBlock = (await blocks.headNumber()) + 1;
    liar.secondsAhead = seconds;
  };

  it.each([
    ['30 days', 30 * DAY_SECONDS],
    ['an hour', 3600],
  ])('ends no job by %s and delays no payment', async (_, seconds) => {
    await blocks.watch(liar.url, { ...suspicious, CHAIN_RPC_URLS: [liar.url, blocks.rpcUrl] });
    const [unpaid, paid] = await jobs(2);
    await lieAhead(seconds);
    await blocks.send(paid.address, AMOUNT);
    await blocks.minedUntil(() => expect(blocks.job.received(paid.jobId)).toHaveLength(1));
    await blocks.mineScanned(6);
    expect(blocks.job.passed(unpaid.jobId)).toEqual([]);
  });

  it('ends a job only once its time is true', async () => {
    await blocks.watch(liar.url);
    const [unpaid] = await jobs(1);
    await lieAhead(30 * DAY_SECONDS);
    await blocks.mineScanned(6);
    expect(blocks.job.passed(unpaid.jobId)).toEqual([]);
    liar.secondsAhead = 0;
    await blocks.setNextBlockTime(unpaid.deadlineMs + 1000);
    await blocks.minedUntil(() => expect(blocks.job.passed(unpaid.jobId)).toHaveLength(1));
  });
});
