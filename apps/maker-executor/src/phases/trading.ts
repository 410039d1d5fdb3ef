import { currentAttempt, type ExecutionEnding, isShort } from '@maker/execution-records';
import { BUDGET_SPENT, minimumOut } from '@maker/rules';
import { cappedTrade, priceOrders, quotedAmounts } from '../order/price-orders.ts';
import { isDisputed, missedAt, unconfirmed } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';
import { askMarket } from './ask-market.ts';
import { gasLimitExpected, type PlannedOrders, placeIn, planWith, type Room } from './place-orders.ts';
import { tradingEnd } from './trading-end.ts';

/** Chain time before the next quote after a reason to wait or without room in the minute's gas, ms. */
const MARKET_RETRY_MS = 3000;

/** Blocks after which a balance below the bought tokens counts as true, not as an endpoint's lag. */
const LAG_BLOCKS = 10;

/** Buys on schedule until the budget is spent or trading must end. Source: design §§ 2, 4 and 4a. */
export function trade(tick: Tick) {
  if (tradingEnd(tick.execution, tick.nowMs, tick.rules) || tick.open.some(isShort))
    return tick.wait('trading is over; open transactions settle first');
  if (isDisputed(tick.open, tick.head, tick.rules.confirmations)) return tick.wait('hosts disagree about orders');
  const plan = planWith(tick);
  if (plan.kind === 'spent') return endTrading(tick, { kind: 'completed', message: BUDGET_SPENT });
  if (plan.kind === 'pause') tick.pause(plan.reason);
  if (plan.kind !== 'orders') return tick.wait('no order is due');
  if (tick.nowMs < tick.memory.nextQuoteAtMs) return tick.wait('the market was queried a moment ago');
  const room = findRoom(tick, plan);
  if (room.count === 0) return retryLater(tick, 'no room in the gas of the minute');
  buy(tick, plan, room);
}

/** Ends trading that must end, also during a pause, once no transaction is open. */
export function endTradingWhenOver(tick: Tick) {
  if (tick.execution.phase !== 'trading' || tick.open.length > 0) return;
  const ending = tradingEnd(tick.execution, tick.nowMs, tick.rules);
  if (ending) endTrading(tick, ending);
}

function endTrading(tick: Tick, ending: ExecutionEnding) {
  tick.resume();
  tick.add({
    kind: 'enterPhase',
    reason: ending.message,
    phase: 'delivery',
    change: { phase: 'delivery', ending: { ...ending, at: new Date(tick.nowMs) } },
    memory: {
      gasEstimate: null,
      refusedPools: {},
      requotedAtOrder: null,
      tokensMissed: null,
      noRoomAtMs: null,
    },
  });
}

/** Claims room in the minute's gas. This comes before the market, which costs requests. */
function findRoom(tick: Tick, { orders }: PlannedOrders): Room {
  const gasLimit = gasLimitExpected(tick);
  if (tick.execution.plan.minuteGas === undefined) return { gasLimit: Number.POSITIVE_INFINITY, count: orders.length };
  const count = tick.claim('room', { gasLimit, count: orders.length });
  tick.note('room in the gas of the minute', {}, { noRoomAtMs: count < orders.length ? tick.nowMs : null });
  return { gasLimit, count };
}

/** Buys in the cheapest pool. If a pool refuses the buy, is too thin or above the band, tries the next one. */
function buy(tick: Tick, planned: PlannedOrders, room: Room) {
  const { plan: agreed, confirmedPriceX96 } = tick.execution;
  const aheadWei = unconfirmed(tick.open).reduce((sum, open) => sum + currentAttempt(open).valueWei, 0n);
  const [{ tradeWei }] = planned.orders;
  const amounts = quotedAmounts(planned.orders, aheadWei);
  const { deepPools, offers, walletTokens, quotedAtBlock } = askMarket(tick, { amounts, tradeWei });
  const expected = tokensReceived(tick);
  if (missesTokens(tick, walletTokens) && missesTokens(tick, tick.ask('walletTokens', { expected })))
    return doubtTokens(tick);
  tick.note('tokens shown', {}, { tokensMissed: null });

  let isAbove = false;
  for (const offer of offers) {
    const capWei = cappedTrade(offer.curve, tradeWei, agreed);
    const largestWei = capWei < tradeWei ? capWei : undefined;
    const plan = largestWei === undefined ? planned : planWith(tick, largestWei);
    if (plan.kind !== 'orders') continue;
    const pricing = { plan: agreed, confirmedPriceX96, aheadWei, isRetry: plan.retryOf !== undefined };
    const priced = priceOrders(offer.curve, plan.orders, pricing);
    if (!priced) continue;
    // Pools are ranked after gas and without our unconfirmed orders: the next one may be within the band.
    if (priced.length === 0) isAbove = true;
    placeIn(tick, { offer, deepPools, plan, priced, largestWei, quotedAtBlock, room });
  }
  if (isAbove) return pauseAndRetry(tick, 'price_band');
  const isRefused = Object.values(tick.memory.refusedPools).some((untilBlock) => untilBlock > tick.head.number);
  pauseAndRetry(tick, isRefused ? 'purchase_refused' : 'thin_liquidity');
}

/** Whether the wallet holds fewer tokens than its transaction receipts show, beyond the slippage. */
function missesTokens(tick: Tick, walletTokens: bigint | undefined): boolean {
  const slippageBps = BigInt(tick.execution.plan.slippageBps);
  return walletTokens === undefined || walletTokens < minimumOut(tokensReceived(tick), slippageBps);
}

function tokensReceived({ execution: { totals }, open }: Tick): bigint {
  const unbooked = open.reduce((sum, { inclusion }) => sum + (inclusion?.receivedTokens ?? 0n), 0n);
  return totals.boughtWei - totals.deliveredWei + unbooked;
}

/** Buys nothing while the balance is below the bought tokens. An endpoint that lags catches up in a few blocks. */
function doubtTokens(tick: Tick) {
  const { head, open } = tick;
  const tokensMissed = missedAt(tick.memory.tokensMissed, head.number);
  tick.note('tokens not shown', {}, { tokensMissed });
  if (head.number - tokensMissed.sinceBlock < LAG_BLOCKS || open.length > 0)
    return tick.wait('the wallet shows fewer tokens than were bought');
  endTrading(tick, { kind: 'technical', message: 'the wallet holds fewer tokens than its orders should have bought' });
}

function pauseAndRetry(tick: Tick, reason: 'price_band' | 'thin_liquidity' | 'purchase_refused') {
  tick.pause(reason);
  retryLater(tick, reason);
}

function retryLater(tick: Tick, reason: string) {
  tick.wait(reason, { nextQuoteAtMs: tick.nowMs + MARKET_RETRY_MS });
}
