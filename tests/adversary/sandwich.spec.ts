import { formatHype, parseHype } from '@maker/rules';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import type { Actor } from './actor.ts';
import { Arena } from './arena.ts';
import { hasEnded } from './hostile-case.ts';
import { type Market, POOL_SHAPES } from './markets.ts';
import { PoolModel } from './pool-model.ts';
import { Sandwich } from './sandwich.ts';

const PAID = 1;
/** A pool of 10 HYPE and a margin for rounding: a smaller one is too small for any job. */
const DEPTH_WEI = parseHype('10.001');
const WINDOW_SECONDS = 60;
const CASE_MS = 600_000;

/** The chain makes a block after this time without orders, since the schedule follows its clock. */
const EMPTY_BLOCK_MS = 500;
const BLOCK_MS = 250;

const BASIS_POINTS = 10_000n;

let arena: Arena;

beforeAll(async () => {
  arena = await Arena.start(POOL_SHAPES, { windowSeconds: WINDOW_SECONDS, depthWei: DEPTH_WEI });
}, 300_000);

afterAll(() => arena?.stop());

type Bought = { readonly tokensBought: string };

const boughtBy = (orders: readonly Bought[]): bigint =>
  orders.reduce((sum, { tokensBought }) => sum + BigInt(tokensBought), 0n);

/** Loss of an actor in basis points. */
const lost = (owed: bigint, got: bigint): bigint => ((owed - got) * BASIS_POINTS) / owed;

/** All money of an actor, wei. */
async function wealth({ address }: Actor, market: Market): Promise<bigint> {
  const wrapped = await arena.tokens({ ...market, token: arena.stack.contracts.whype }, address);
  return (await arena.balance(address)) + wrapped;
}

it.each(POOL_SHAPES)('a sandwich in a %s pool loses money', { timeout: CASE_MS }, async (shape) => {
  const { product } = arena;
  const market = arena.market(shape);
  const before = await PoolModel.read(arena, market);
  const trader = await arena.newActor(parseHype('20'));
  const sandwich = await Sandwich.prepared(arena, market, trader);
  const beganWei = await wealth(trader, market);

  const { jobId, paymentAddress } = await product.createJob(market.token, PAID, arena.newAddress());
  await (await arena.newActor(parseHype('2'))).send({ to: paymentAddress as never, value: parseHype(`${PAID}`) });
  await product.control.setBlockInterval(0);
  try {
    while (!hasEnded(await product.status(jobId))) {
      const orders = await seen(sandwich, paymentAddress as never);
      if (orders.length > 0) await sandwich.attack(orders);
      else await product.control.mine();
    }
  } finally {
    await product.control.setBlockInterval(BLOCK_MS);
  }

  const job = await product.status(jobId);
  const orders = (await product.orders(jobId)).filter(({ tokensBought }) => BigInt(tokensBought) > 0n);
  const attacked = orders.filter(({ transactionHash }) => sandwich.around.has(transactionHash as Hex));
  const owed = attacked.reduce(
    (sum, { transactionHash }) => sum + (sandwich.around.get(transactionHash as Hex) ?? 0n),
    0n,
  );
  const lossBps = lost(owed, boughtBy(attacked));
  const undisturbed = orders.reduce((sum, { tradeWei }) => sum + before.buy(BigInt(tradeWei)), 0n);
  const dearerBps = lost(undisturbed, boughtBy(orders));
  const gainWei = (await wealth(trader, market)) - beganWei;
  const { limits } = job.plan ?? {};
  console.log(
    `${shape}: ${attacked.length} of ${orders.length} orders for ${formatHype(BigInt(job.receipt?.tradedWei ?? '0'))} HYPE attacked; ` +
      `the payer lost ${lossBps} basis points by it, of ${limits?.slippageBps}, and got ${dearerBps} less than in a pool without other trades; ` +
      `the trader ended with ${gainWei < 0n ? '-' : '+'}${formatHype(gainWei < 0n ? -gainWei : gainWei)} HYPE, ${trader.gasUsed} gas`,
  );
  expect(job.status).toBe('completed');
  expect(attacked.length).toBeGreaterThan((orders.length * 9) / 10);
  expect(lossBps).toBeLessThanOrEqual(BigInt(limits?.slippageBps ?? 0));
  // The trader's fee also moves the price where it leaves the reserves: the price band bounds that.
  expect(dearerBps).toBeLessThanOrEqual(BigInt(limits?.bandBps ?? 0));
  expect(gainWei).toBeLessThan(0n);
});

/** The job's next orders, once no further one joins them; none if the next block is due before one. */
async function seen(sandwich: Sandwich, wallet: `0x${string}`) {
  const dueAt = Date.now() + EMPTY_BLOCK_MS;
  let last = -1;
  return until(
    'the next block',
    () => sandwich.waiting(wallet),
    (orders) => {
      const isWhole = orders.length > 0 && orders.length === last;
      last = orders.length;
      return isWhole || (orders.length === 0 && Date.now() > dueAt);
    },
    { everyMs: 60 },
  );
}
