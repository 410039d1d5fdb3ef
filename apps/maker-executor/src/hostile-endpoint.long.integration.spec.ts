import { parseHype } from '@maker/rules';
import type { INestMicroservice } from '@nestjs/common';
import { type Address, isAddressEqual, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Lies, LyingEndpoint } from '../../../libs/chain/src/endpoints/lying-endpoint.fixture.ts';
import { type PaidJob, stageForFile } from './maker-stage.fixture.ts';
import { EVENTUALLY, FAST_CLOCK, RUN_MS } from './stage-times.fixture.ts';

const MILLION = 1_000_000n;
/** Longer than the executor waits for a lagging endpoint, and longer than two reverts take. */
const LIES_FOR_BLOCKS = 60;
const SLOT_MS = 1000;
/** Limits that would end a job within seconds. */
const IMPATIENT = {
  MAKER_LIQUIDITY_TIMEOUT_SECONDS: '20',
  MAKER_MOST_CONSECUTIVE_FAILURES: '2',
  MAKER_RECONCILE_SECONDS: '1',
};
/** Pays for about thirty orders. */
const DEPOSIT = parseHype('0.16');

const own = stageForFile(FAST_CLOCK);
let liar: LyingEndpoint;

beforeAll(async () => {
  liar = await LyingEndpoint.start(own.stage.chain.rpcUrl);
});
afterEach(() => own.stage.stopMakers());
afterAll(() => liar?.stop());

const tokenOf = () => own.stage.chain.tokens.v2Only;

/** Starts a maker with two hosts, one of which lies. */
const startMaker = (which: 'first' | 'second', more = {}): Promise<INestMicroservice> => {
  const urls = which === 'first' ? [liar.url, own.stage.chain.rpcUrl] : [own.stage.chain.rpcUrl, liar.url];
  return own.stage.startMaker({ CHAIN_RPC_URLS: urls.join(), ...more });
};

/** Creates a job and waits for its first orders. */
async function tradingJob(): Promise<PaidJob> {
  const plan = await own.stage.plan({ slotMs: SLOT_MS });
  const job = await own.stage.paidJob(tokenOf(), { depositWei: DEPOSIT, plan });
  await own.stage.placed(job, 2);
  return job;
}

async function pairOf(token: Address): Promise<{ readonly address: Address; readonly isFirst: boolean }> {
  const { client, chain } = own.stage;
  const abi = parseAbi([
    'function getPair(address, address) view returns (address)',
    'function token0() view returns (address)',
  ]);
  const args = [token, chain.contracts.whype] as const;
  const address = await client.readContract({ address: chain.contracts.v2Factory, abi, functionName: 'getPair', args });
  return {
    address,
    isFirst: isAddressEqual(await client.readContract({ address, abi, functionName: 'token0' }), token),
  };
}

/** Returns lies that show a part of the token's price. @param millionths of the real price */
async function pricedAt(millionths: bigint): Promise<Lies> {
  const { address, isFirst } = await pairOf(tokenOf());
  const tokens = (MILLION * MILLION) / millionths;
  return { pair: { address, millionths: isFirst ? [tokens, MILLION] : [MILLION, tokens] } };
}

/** Lies about one wallet each, so that they can run concurrently. */
const LIES: readonly (readonly [string, (job: PaidJob) => Lies])[] = [
  ['made-up reverts', () => ({ receipts: 'reverted' })],
  ['hidden receipts', () => ({ receipts: 'hidden' })],
  ['made-up gas', () => ({ receipts: 'dear' })],
  ['refused estimates', () => ({ refuses: true })],
  ['an empty wallet', () => ({ balanceWei: 0n })],
  ['a richer wallet', () => ({ balanceWei: parseHype('9') })],
  ['missing tokens', ({ token }) => ({ tokens: { token, units: 0n } })],
  ['used nonces', () => ({ nonces: 7 })],
  ['kept transactions', () => ({ censors: true })],
];

const EITHER = ['first', 'second'] as const;

/** Runs a job with lies for some blocks, then with true answers. @returns its end, and the wallet's balances after it */
async function outlives(liesOf: (job: PaidJob) => Lies | Promise<Lies>) {
  const job = await tradingJob();
  liar.lieAbout(job.wallet, await liesOf(job));
  await own.stage.blocksPass(LIES_FOR_BLOCKS, EVENTUALLY);
  const earlyEnds = own.stage.jobs.endings(job.jobId).map(({ kind }) => kind);
  liar.lieAbout(job.wallet);
  const ending = await own.stage.ended(job);
  const { heldReason } = await own.stage.receiptOf(job);
  const left = { wei: await own.stage.balance(job.wallet), tokens: await own.stage.tokensOf(job, job.wallet) };
  return { job, outcome: { hasFailed: earlyEnds.includes('failed'), kind: ending?.kind, heldReason, left } };
}

const COMPLETED = { hasFailed: false, kind: 'completed', heldReason: undefined, left: { wei: 0n, tokens: 0n } };

describe.each(EITHER)('the %s of two endpoints that lies (docs/adr/0116)', (which) => {
  it('ends no job by lies about a wallet', { timeout: 2 * RUN_MS }, async () => {
    await startMaker(which, IMPATIENT);
    const outcomes = await Promise.all(
      LIES.map(async ([what, liesOf]) => [what, (await outlives(liesOf)).outcome] as const),
    );
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(LIES.map(([what]) => [what, COMPLETED])));
  });

  it('ends no job by an empty pool', { timeout: RUN_MS }, async () => {
    await startMaker(which, IMPATIENT);
    const { outcome } = await outlives(async () => ({
      pair: { ...(await pairOf(tokenOf())), millionths: [1000n, 1000n] },
    }));
    expect(outcome).toEqual(COMPLETED);
  });

  it.each([
    ['more expensive', 1_080_000n],
    ['cheaper', 900_000n],
  ])('makes no order more than 1 % %s', { timeout: RUN_MS }, async (_what, millionths) => {
    await startMaker(which, IMPATIENT);
    const { job, outcome } = await outlives(() => pricedAt(millionths));
    expect(outcome).toEqual(COMPLETED);
    const quotes = (await own.stage.ordersOf(job)).map(
      ({ quotedTokens, tradeWei }) => (BigInt(quotedTokens ?? '0') * MILLION) / BigInt(tradeWei),
    );
    for (const [index, quote] of quotes.slice(1).entries()) {
      // The job's own orders move the price too.
      expect((quote * MILLION) / (quotes[index] ?? 1n)).toBeGreaterThan(985_000n);
      expect((quote * MILLION) / (quotes[index] ?? 1n)).toBeLessThan(1_015_000n);
    }
  });
});
