import { currentAttempt, type ExecutionEnding, isShort } from '@maker/execution-records';
import { minimumOut } from '@maker/rules';
import { cappedTrade, priceOrders, quotedAmounts } from '../order/price-orders.ts';
import { isDisputed, missedAt, unconfirmed } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';
import { askMarket } from './ask-market.ts';
import { gasLimitExpected, type PlannedOrders, placeIn, planWith, type Room } from './place-orders.ts';
import { tradingEnd } from './trading-end.ts';

/** Chain time between two quotes where the first gave reason to wait, or the minute's gas had no room, ms. */
const MARKET_RETRY_MS = 3000;

/** An endpoint that shows fewer tokens than were bought is believed after this many blocks. */
const LAG_BLOCKS = 10;

/** Buys on schedule until the budget is spent, or until it can no longer be. Source: design §§ 2, 4 and 4a. */
export function trade(tick: Tick) {
  if (tradingEnd(tick.execution, tick.nowMs, tick.rules) || tick.open.some(isShort))
    return tick.wait('trading is over; open transactions settle first');
  if (isDisputed(tick.open, tick.head, tick.rules.confirmations)) return tick.wait('hosts tell orders differently');
  const plan = planWith(tick);
  if (plan.kind === 'spent') return endTrading(tick, { kind: 'completed', message: 'the budget is spent' });
  if (plan.kind === 'pause') tick.pause(plan.reason);
  if (plan.kind !== 'orders') return tick.wait('no order is due');
  if (tick.nowMs < tick.memory.nextQuoteAtMs) return tick.wait('the market was asked a moment ago');
  const room = findRoom(tick, plan);
  if (room.count === 0) return retryLater(tick, 'no room in the gas of the minute');
  buy(tick, plan, room);
}

/** Ends trading that may not go on, whatever pauses it, once nothing is under way. */
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

/** Asked before the market, which costs requests. */
function findRoom(tick: Tick, { orders }: PlannedOrders): Room {
  const gasLimit = gasLimitExpected(tick);
  if (tick.execution.plan.minuteGas === undefined) return { gasLimit: Number.POSITIVE_INFINITY, count: orders.length };
  const count = tick.ask('room', { gasLimit, count: orders.length });
  tick.note('room in the gas of the minute', {}, { noRoomAtMs: count < orders.length ? tick.nowMs : null });
  return { gasLimit, count };
}

/** Buys where it costs least; a pool that quotes and does not deliver, or is too thin, is passed over for the next. */
function buy(tick: Tick, planned: PlannedOrders, room: Room) {
  const { plan: agreed, confirmedPriceX96 } = tick.execution;
  const aheadWei = unconfirmed(tick.open).reduce((sum, open) => sum + currentAttempt(open).valueWei, 0n);
  const [{ tradeWei }] = planned.orders;
  const amounts = quotedAmounts(planned.orders, aheadWei);
  const market = askMarket(tick, { amounts, tradeWei });
  if (!market) return;
  const { deepPools, offers, walletTokens, quotedAtBlock } = market;
  const expected = tokensReceived(tick);
  if (missesTokens(tick, walletTokens) && missesTokens(tick, tick.ask('walletTokens', { expected })))
    return doubtTokens(tick);
  tick.note('tokens shown', {}, { tokensMissed: null });

  for (const offer of offers) {
    const capWei = cappedTrade(offer.curve, tradeWei, agreed);
    const largestWei = capWei < tradeWei ? capWei : undefined;
    const plan = largestWei === undefined ? planned : planWith(tick, largestWei);
    if (plan.kind !== 'orders') continue;
    const pricing = { plan: agreed, confirmedPriceX96, aheadWei, isRetry: plan.retryOf !== undefined };
    const priced = priceOrders(offer.curve, plan.orders, pricing);
    if (!priced) continue;
    // The cheapest that could fill it: the others are dearer still.
    if (priced.length === 0) return pauseAndRetry(tick, 'price_band');
    if (placeIn(tick, { offer, deepPools, plan, priced, largestWei, quotedAtBlock, room })) return;
  }
  const isRefused = Object.values(tick.memory.refusedPools).some((untilBlock) => untilBlock > tick.head.number);
  pauseAndRetry(tick, isRefused ? 'purchase_refused' : 'thin_liquidity');
}

/** Whether the wallet holds fewer tokens than its receipts say it must, slippage allowed. */
function missesTokens(tick: Tick, walletTokens: bigint | undefined): boolean {
  const slippageBps = BigInt(tick.execution.plan.slippageBps);
  return walletTokens === undefined || walletTokens < minimumOut(tokensReceived(tick), slippageBps);
}

function tokensReceived({ execution: { totals }, open }: Tick): bigint {
  const unbooked = open.reduce((sum, { inclusion }) => sum + (inclusion?.receivedTokens ?? 0n), 0n);
  return totals.boughtWei - totals.deliveredWei + unbooked;
}

/** Nothing is bought while the wallet shows less than was bought; an endpoint that lags catches up in a few blocks. */
function doubtTokens(tick: Tick) {
  const { head, open } = tick;
  const tokensMissed = missedAt(tick.memory.tokensMissed, head.number);
  tick.note('tokens not shown', {}, { tokensMissed });
  if (head.number - tokensMissed.sinceBlock < LAG_BLOCKS || open.length > 0)
    return tick.wait('the wallet shows fewer tokens than were bought');
  endTrading(tick, { kind: 'technical', message: 'the wallet holds fewer tokens than its orders were to bring' });
}

function pauseAndRetry(tick: Tick, reason: 'price_band' | 'thin_liquidity' | 'purchase_refused') {
  tick.pause(reason);
  retryLater(tick, reason);
}

function retryLater(tick: Tick, reason: string) {
  tick.wait(reason, { nextQuoteAtMs: tick.nowMs + MARKET_RETRY_MS });
}
