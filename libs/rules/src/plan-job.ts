import { larger, smaller } from './amounts.ts';
import { type DepositSplit, splitDeposit } from './budget.ts';
import { agreedPace, type GrantedPace, grantPace, NO_PACE } from './capacity.ts';
import { estimateOrders } from './estimate.ts';
import { exactPrice, PLAIN_TRANSFER_GAS } from './fees.ts';
import { exceedsGasGuardrail, GAS_GUARDRAIL_WEI } from './guardrails.ts';
import { LEAST_USEFUL_PAYMENT_WEI } from './least-payment.ts';
import { countOrders, ENDING_RESERVE_WEI, nextOrder, STANDARD_ORDER_WEI, withinImpact } from './order-size.ts';
import {
  PLAN_WARNINGS,
  type Plan,
  type PlannedGas,
  type PlannedPurchase,
  type PlanRequest,
  type PlanWarning,
} from './plan.ts';
import { curveEnd, orderPrice, type PoolCurve, priceNow, readCurve, tokensAt } from './pool-curve.ts';
import { priceAbove, priceOf, riseBps } from './price.ts';
import { rankedAfterGas, spendInPools } from './spend-in-pools.ts';

/** Usable pools, and the pool of the first order. */
interface Market {
  readonly curves: readonly PoolCurve[];
  readonly first: PoolCurve;
  readonly seenPriceX96: bigint;
}

interface PlannedOrders {
  readonly count: number;
  readonly sizeWei: bigint;
  readonly merged: number;
  readonly tradedWei: bigint;
  readonly gasWei: bigint;
  /** Whether the price would leave the band before all is spent. */
  readonly isPart: boolean;
  readonly purchase?: PlannedPurchase;
}

const NO_ORDERS: PlannedOrders = { count: 0, sizeWei: 0n, merged: 1, tradedWei: 0n, gasWei: 0n, isPart: false };

/**
 * Computes the plan of a job, which the amount step shows, the job answer carries, the simulation prints and maker-executor follows.
 * It assumes constant gas and capacity, and no other traders. The price then does not recover between orders: if other traders
 * make it recover, the same budget buys more. Source: design § 4a.
 */
export function planJob(request: PlanRequest): Plan {
  const { startAtMs, limits } = request;
  const split = splitDeposit(request.depositWei);
  // No order is placed above the guardrail, so no later order pays a higher gas price.
  const gasPriceWei = smaller(request.gasPriceWei, GAS_GUARDRAIL_WEI);
  const feeGasWei = smaller(PLAIN_TRANSFER_GAS * gasPriceWei, split.reserveWei);
  const market = readMarket(request, gasPriceWei);
  const orders = market ? planOrders(request, split, market, gasPriceWei, feeGasWei) : NO_ORDERS;
  const gas = payGas(request, split, orders, gasPriceWei, feeGasWei);
  const tokenTakesWei = takenByToken(request, orders);
  const wantedSlotMs = limits.windowMs / Math.max(1, slotsIn(split.orderBudgetWei));
  const granted = market && grantSlot(request, market, wantedSlotMs);
  const slotMs = granted?.slotMs ?? wantedSlotMs;
  const tradingEndsAtMs = Math.round(startAtMs + slotsIn(split.orderBudgetWei) * slotMs) + limits.pauseAllowanceMs;
  return {
    split,
    orders: {
      count: orders.count,
      sizeWei: orders.sizeWei,
      merged: orders.merged,
      intervalMs: orders.merged * slotMs,
    },
    slotMs,
    pace: granted?.pace ?? NO_PACE,
    startAtMs,
    expectedEndAtMs: orders.isPart ? tradingEndsAtMs : Math.round(startAtMs + slotsIn(orders.tradedWei) * slotMs),
    tradingEndsAtMs,
    latestEndAtMs: tradingEndsAtMs + limits.endingAllowanceMs,
    spendableWei: orders.tradedWei,
    ...(tokenTakesWei !== undefined && { tokenTakesWei }),
    ...(orders.purchase && { purchase: orders.purchase }),
    gas,
    returnedWei: split.orderBudgetWei + split.reserveWei - orders.tradedWei - gas.ordersWei - gas.transfersWei,
    warnings: warningsOf(request, split, orders, { wantedSlotMs, granted, pools: market?.curves.length ?? 0 }),
  };
}

/** Price of the next order including the pool fee, as plans show it, X96. @returns undefined where no pool takes an order */
export function marketPrice(pools: PlanRequest['pools'], gasPriceWei: bigint): bigint | undefined {
  return readMarket({ pools }, gasPriceWei)?.seenPriceX96;
}

function readMarket(
  { pools, seenPriceX96 }: Pick<PlanRequest, 'pools' | 'seenPriceX96'>,
  gasPriceWei: bigint,
): Market | undefined {
  const curves = pools.map(readCurve).filter((curve) => curve !== undefined);
  const offers = curves.map((curve) => ({
    curve,
    gas: curve.orderGas,
    tokens: tokensAt(curve, smaller(STANDARD_ORDER_WEI, curveEnd(curve))),
  }));
  const first = rankedAfterGas(offers, STANDARD_ORDER_WEI, gasPriceWei)[0]?.curve;
  return first && { curves, first, seenPriceX96: seenPriceX96 ?? priceNow(first) };
}

function planOrders(
  { limits }: PlanRequest,
  split: DepositSplit,
  { curves, first, seenPriceX96 }: Market,
  gasPriceWei: bigint,
  feeGasWei: bigint,
): PlannedOrders {
  const funds = { ...split, tradedWei: 0n, gasWei: feeGasWei };
  const uncapped = { gas: first.orderGas, laterGas: first.laterGas, gasPriceWei, largestWei: curveEnd(first) };
  const wanted = nextOrder(funds, uncapped);
  if (wanted.kind !== 'order') return NO_ORDERS;
  const cappedWei = withinImpact(wanted.tradeWei, impactOf(first, wanted.tradeWei), limits.impactCapBps);
  const cost = cappedWei < wanted.tradeWei ? { ...uncapped, largestWei: cappedWei } : uncapped;
  const order = nextOrder(funds, cost);
  if (order.kind !== 'order') return NO_ORDERS;

  const sizeWei = order.tradeWei;
  const all = countOrders(funds, cost);
  const highestPriceX96 = priceAbove(seenPriceX96, limits.bandBps);
  const spend = (targetWei: bigint) =>
    spendInPools(curves, { targetWei, orderWei: sizeWei, gasPriceWei, highestPriceX96 });
  let spent = spend(all.tradedWei);
  let { count, tradedWei, gasWei } = all;
  const isPart = spent.spentWei < tradedWei;
  if (isPart) {
    count = Number(spent.spentWei / sizeWei);
    tradedWei = BigInt(count) * sizeWei;
    gasWei = BigInt(count) * cost.laterGas * gasPriceWei;
    spent = spend(tradedWei);
  }
  if (spent.lastPriceX96 === undefined || spent.tokens === 0n) return NO_ORDERS;
  const startX96 = priceNow(first);
  return {
    count,
    sizeWei,
    merged: order.merged,
    tradedWei,
    gasWei,
    isPart,
    purchase: {
      exchange: first.exchange,
      seenPriceX96,
      tokens: spent.tokens,
      orderImpactBps: impactOf(first, sizeWei),
      impactBps: riseBps(priceOf(tradedWei, spent.tokens), startX96),
      priceRiseBps: riseBps(spent.lastPriceX96, startX96),
    },
  };
}

/** Price impact of an order by its own size, relative to the first unit. Basis points, rounded up. */
function impactOf(curve: PoolCurve, tradeWei: bigint): bigint {
  return riseBps(orderPrice(curve, 0n, tradeWei) ?? 0n, priceNow(curve));
}

function payGas(
  { deliveryGas }: PlanRequest,
  { reserveWei, orderBudgetWei }: DepositSplit,
  { gasWei, tradedWei }: PlannedOrders,
  gasPriceWei: bigint,
  feeGasWei: bigint,
): PlannedGas {
  const endingGasWei = smaller(
    deliveryGas * gasPriceWei + PLAIN_TRANSFER_GAS * exactPrice(gasPriceWei),
    smaller(reserveWei - feeGasWei, ENDING_RESERVE_WEI),
  );
  const forOrdersWei = larger(reserveWei - ENDING_RESERVE_WEI, 0n);
  const overdrawnWei = larger(feeGasWei + gasWei - forOrdersWei, 0n);
  const fromBudgetWei = smaller(overdrawnWei, orderBudgetWei - tradedWei);
  const transfersWei = feeGasWei + endingGasWei;
  return { ordersWei: gasWei, transfersWei, fromBudgetWei, fromReserveWei: gasWei + transfersWei - fromBudgetWei };
}

function grantSlot(
  { capacity, agreedSlotMs }: PlanRequest,
  { first }: Market,
  wantedSlotMs: number,
): GrantedPace | undefined {
  const use = { gas: first.orderGas, requests: capacity.requestsPerOrder };
  const granted = grantPace(wantedSlotMs, use, capacity.whole, capacity.booked);
  const isKept = agreedSlotMs === undefined || (granted !== undefined && granted.slotMs <= agreedSlotMs);
  return isKept ? granted : agreedPace(agreedSlotMs, use);
}

interface Schedule {
  readonly wantedSlotMs: number;
  readonly granted: GrantedPace | undefined;
  /** Number of usable pools. */
  readonly pools: number;
}

/** Most that the token accepts, if it refuses purchases before all orders of the plan, wei. */
function takenByToken({ tokenLimits }: PlanRequest, { tradedWei }: PlannedOrders): bigint | undefined {
  const mostWei = tokenLimits?.mostSpentWei;
  return mostWei !== undefined && mostWei < tradedWei ? mostWei : undefined;
}

function warningsOf(
  request: PlanRequest,
  { orderBudgetWei }: DepositSplit,
  orders: PlannedOrders,
  { wantedSlotMs, granted, pools }: Schedule,
): readonly PlanWarning[] {
  const { depositWei, gasPriceWei, limits, tokenLimits } = request;
  const { count, isPart } = orders;
  const isTooSmall = depositWei < LEAST_USEFUL_PAYMENT_WEI;
  const isTooLong = granted !== undefined && granted.slotMs * slotsIn(orderBudgetWei) > limits.longestWindowMs;
  const holds: Readonly<Record<PlanWarning, boolean>> = {
    too_small_for_one_order: isTooSmall,
    no_pool: !isTooSmall && count === 0,
    no_capacity: pools > 0 && (granted === undefined || isTooLong),
    pool_takes_only_part: isPart,
    token_limits_holdings: takenByToken(request, orders) !== undefined,
    token_limits_purchases: tokenLimits?.refusesSecond ?? false,
    longer_than_window: granted !== undefined && granted.slotMs > wantedSlotMs,
    gas_above_guardrail: exceedsGasGuardrail(gasPriceWei, 0n),
    fewer_orders_than_estimated: count > 0 && count < estimateOrders(depositWei).lower,
    only_one_pool: count > 0 && pools === 1,
  };
  return PLAN_WARNINGS.filter((warning) => holds[warning]);
}

/** Number of standard orders in an amount of wei, with fractions: the slots of its schedule (design § 4). */
export function slotsIn(wei: bigint): number {
  return Number(wei) / Number(STANDARD_ORDER_WEI);
}
