import { randomBytes } from 'node:crypto';
import { type Address, type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FaultyNode } from '../../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { LyingEndpoint } from '../../../libs/chain/src/endpoints/lying-endpoint.fixture.ts';
import { HostileBlocks, type WatchedJob } from './hostile-blocks.fixture.ts';

const CHAIN_ID = 31_337;
const LIAR_KEY: Hex = `0x${'42'.repeat(32)}`;
const LIAR: Address = `0x${'bb'.repeat(20)}`;
const AMOUNT = parseEther('0.5');
/** In millionths. */
const TWICE = 2_000_000n;
const patient = { timeout: 20_000, interval: 100 };
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

describe('an endpoint that shows a signed but unmined transfer', () => {
  it('is ignored without a second endpoint’s confirmation', async () => {
    await blocks.watch(liar.url, { ...suspicious, CHAIN_RPC_URLS: [liar.url, blocks.rpcUrl] });
    const [attacked, honest] = await jobs(2);
    await liar.forge(LIAR_KEY, CHAIN_ID, attacked.address, AMOUNT);
    await blocks.mine();
    await vi.waitFor(() => expect(blocks.job.seen(attacked.jobId)).not.toEqual([]), patient);
    await blocks.send(honest.address, AMOUNT);
    await blocks.minedUntil(() => expect(blocks.job.received(honest.jobId)).toHaveLength(1));
    expect(blocks.job.received(honest.jobId)[0]).toMatchObject({ from: blocks.payer });
    await blocks.mineScanned(10);
    expect(blocks.job.received(attacked.jobId)).toEqual([]);
  });

  it('names no payer as the only endpoint', async () => {
    await blocks.watch(liar.url, suspicious);
    const [attacked, honest] = await jobs(2);
    await liar.forge(LIAR_KEY, CHAIN_ID, attacked.address, AMOUNT);
    await blocks.send(honest.address, AMOUNT);
    await blocks.minedUntil(() => {
      expect(blocks.job.received(attacked.jobId)).toHaveLength(1);
      expect(blocks.job.received(honest.jobId)).toHaveLength(1);
    });
    for (const { jobId } of [attacked, honest]) {
      expect(blocks.job.received(jobId)[0]).toMatchObject({ kind: 'transfer', amountWei: AMOUNT.toString() });
      expect(blocks.job.received(jobId)[0]).not.toHaveProperty('from');
      expect((await blocks.job.credited(jobId)).deposits[0]).not.toHaveProperty('from');
    }
  });
});

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

it.each(payments)('knows the payer of %s after 443 blocks of outage', SLOW, async (_, amounts) => {
  const other = await FaultyNode.start(blocks.rpcUrl);
  try {
    await blocks.watch(liar.url, { ...suspicious, ...POLLING, CHAIN_RPC_URLS: [liar.url, other.url] });
    const [attacked] = await jobs(1);
    for (const [index, amount] of amounts.entries()) {
      if (index === amounts.length - 1) other.fault = () => ({ status: 503 });
      await blocks.send(attacked.address, amount);
      if (index < amounts.length - 1)
        await blocks.minedUntil(() => expect(blocks.job.received(attacked.jobId)).toHaveLength(index + 1));
    }
    for (let mined = 1; mined <= 443; mined += 1) {
      await blocks.mine();
      // One wait for all of them fails on a busy machine.
      if (mined % 64 === 0) await blocks.scannedToHead();
    }
    await blocks.scannedToHead();
    expect(blocks.job.received(attacked.jobId)).toHaveLength(amounts.length - 1);
    other.fault = () => undefined;
    await blocks.minedUntil(() => expect(blocks.job.received(attacked.jobId)).toHaveLength(amounts.length));
    for (const received of blocks.job.received(attacked.jobId))
      expect(received).toMatchObject({ kind: 'transfer', from: blocks.payer });
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
    expect(Date.parse(blocks.job.received(paid.jobId)[0]?.blockAt ?? '')).toBeLessThanOrEqual(paid.deadlineMs);
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
