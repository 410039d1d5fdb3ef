import { withMargin } from '@maker/chain';
import { ORDER_LIFE_MS } from '@maker/execution-records';
import { priceNow } from '@maker/rules';
import { newOrders, orderTransaction } from '../order/new-orders.ts';
import { type OrderPlan, planOrders } from '../order/plan-orders.ts';
import type { PoolOffer, PricedOrder } from '../order/price-orders.ts';
import type { Tick } from '../session/tick.ts';
import type { MarketNow } from '../session/view.ts';
import { orderFees } from '../wallet/fees.ts';

/** Gas of an order before the first estimate: a first buy in the more expensive kind of pool. */
const GAS_OF_UNKNOWN_ORDER = 160_000n;

/** Blocks for which an estimate is reused: changes of pools and balances hardly change a buy's gas. */
const ESTIMATE_REUSED_BLOCKS = 30;

/** Blocks for which a pool that refused a buy is not tried again. */
const PASSED_OVER_BLOCKS = 60;

/** Most blocks between a quote and the signature of orders priced by it. */
const QUOTE_LIFE_BLOCKS = 2;

/** Orders that are due by the schedule. */
export type PlannedOrders = Extract<OrderPlan, { kind: 'orders' }>;

/** Orders for one pool. `priced` leaves out planned orders above the price band. */
export interface Batch {
  readonly offer: PoolOffer;
  readonly deepPools: MarketNow['deepPools'];
  readonly plan: PlannedOrders;
  readonly priced: readonly PricedOrder[];
  /** The largest order that moves the price by no more than the plan's cap, wei. */
  readonly largestWei: bigint | undefined;
  /** Height of the pool's quote. */
  readonly quotedAtBlock: number;
  /** Room in the minute's gas. */
  readonly room: Room;
}

/** Room in the minute's gas: the number of orders, and the gas limit of each. */
export interface Room {
  readonly count: number;
  readonly gasLimit: number;
}

/** Plans the due orders with the current estimate of their gas. @param largestWei of one order */
export function planWith(tick: Tick, largestWei?: bigint): OrderPlan {
  const { execution, head, open, rules } = tick;
  const { retries: numbers } = execution;
  return planOrders(execution, {
    nowMs: head.timestampMs,
    cost: {
      gas: gasExpected(tick),
      gasPriceWei: head.baseFeeWei + head.tipWei,
      ...(largestWei !== undefined && { largestWei }),
    },
    open,
    mostInFlight: rules.mostInFlight,
    unfilled: numbers.length === 0 ? [] : tick.ask('unfilledOrders', { numbers }),
  });
}

/** Gas by which the next order is sized: the plan's assumption, unless the estimate is much higher. */
function gasExpected({ memory }: Tick): bigint {
  return memory.gasEstimate?.expected ?? GAS_OF_UNKNOWN_ORDER;
}

/** Gas limit of the next order, before its pool is known. */
export function gasLimitExpected({ memory }: Tick): number {
  return Number(withMargin(memory.gasEstimate?.gas ?? GAS_OF_UNKNOWN_ORDER));
}

/** Sends orders to a pool, and ends the tick. Returns if the pool refuses the first of them. */
export function placeIn(tick: Tick, batch: Batch) {
  const { execution } = tick;
  const { offer, plan, priced, room } = batch;
  const [first] = priced;
  if (!first) return;
  const gas = estimateGas(tick, offer, first);
  if (gas === undefined) return;
  // The order needs more gas than planned: the next block plans a larger one that is worth its gas.
  const again = planWith(tick, batch.largestWei);
  const isTooSmall = again.kind === 'orders' && again.orders[0].merged > plan.orders[0].merged;
  if (isTooSmall && plan.retryOf === undefined) return tick.wait('the order is too small for its gas');
  tick.resume();
  storeStart(tick, batch.deepPools);
  const gasLimit = Number(withMargin(gas));
  if (gasLimit > room.gasLimit) return tick.wait('the order needs more gas than its claimed room');
  const isOld = tick.ask('newestBlock', {}) - batch.quotedAtBlock > QUOTE_LIFE_BLOCKS;
  // Once for a batch: with slow endpoints nothing would be bought otherwise. Its minimum out and its lifetime limit the risk.
  if (isOld && tick.memory.requotedAtOrder !== execution.ordersSigned)
    return tick.wait('the quote is too old', { requotedAtOrder: execution.ordersSigned });
  place(tick, { ...batch, priced: priced.slice(0, room.count) }, gasLimit);
  tick.wait('orders sent');
}

/** Estimates gas on the chain, unless there is a recent estimate for the same pool and no order has failed since. */
function estimateGas(tick: Tick, { pool, curve }: PoolOffer, order: PricedOrder): bigint | undefined {
  const { memory, head, execution } = tick;
  const known = memory.gasEstimate;
  const isRecent = known?.pool === pool.address && head.number - known.atBlock < ESTIMATE_REUSED_BLOCKS;
  if (known && isRecent && execution.consecutiveFailures === 0) return known.gas;
  const gas = tick.ask('orderGas', {
    pool: pool.address,
    buy: buyOf(tick, { pool, curve }, order),
    usualGas: curve.orderGas,
  });
  if (gas === undefined) {
    const refusedPools = { ...memory.refusedPools, [pool.address]: head.number + PASSED_OVER_BLOCKS };
    tick.note('the pool refuses a buy', {}, { refusedPools });
    return undefined;
  }
  // Small differences between estimates must not change how many orders are merged.
  const expected = gas > withMargin(curve.orderGas) ? gas : curve.orderGas;
  tick.note('gas estimated', {}, { gasEstimate: { pool: pool.address, gas, expected, atBlock: head.number } });
  return gas;
}

/** Stores quotes of the pools for one large swap, to compare with the job's result at its end. Source: docs/quality.md. */
function storeStart(tick: Tick, pools: MarketNow['deepPools']) {
  const { startPools, ordersSigned } = tick.execution;
  if (startPools !== null || ordersSigned > 0) return;
  tick.note('pools at the start', { startPools: tick.ask('startPools', { pools }) });
}

function buyOf(
  { execution, nowMs, rules }: Tick,
  { pool }: PoolOffer,
  { tradeWei, minimumTokens }: Pick<PricedOrder, 'tradeWei' | 'minimumTokens'>,
) {
  return rules.buyTransaction({
    pool,
    amountInWei: tradeWei,
    minimumTokensOut: minimumTokens,
    recipient: execution.walletAddress,
    deadlineSeconds: BigInt(Math.floor((nowMs + ORDER_LIFE_MS) / 1000)),
  });
}

function place(tick: Tick, { offer, plan, priced }: Batch, gasLimit: number) {
  const { execution, head } = tick;
  const { plan: agreed, retries, ordersSigned } = execution;
  const { retryOf } = plan;
  const expiresAt = new Date(tick.nowMs + ORDER_LIFE_MS);
  const terms = { pool: offer.pool, placedAt: tick.recordedAt, expiresAt, retryOf };
  const orders = newOrders(execution, priced, terms);
  const gas = { gasLimit, ...orderFees(head.baseFeeWei, head.tipWei) };
  // Orders that were cut off the batch stay due.
  const cutSlots = plan.orders.slice(priced.length).reduce((sum, { merged }) => sum + merged, 0);
  tick.add({
    kind: 'send',
    reason: `${orders.length} orders due`,
    orders,
    transactions: orders.map((order) => orderTransaction(order, buyOf(tick, offer, order), terms, gas)),
    change: {
      ordersSigned: ordersSigned + orders.length,
      nextOrderAtMs: plan.nextOrderAtMs - cutSlots * agreed.slotMs,
      retries: retries.filter((number) => number !== retryOf),
      ...(agreed.seenPriceX96 === null && { plan: { ...agreed, seenPriceX96: priceNow(offer.curve) } }),
    },
  });
}
