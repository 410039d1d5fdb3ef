import { priceAbove, priceNow } from '@maker/rules';
import type { Tick } from '../session/tick.ts';
import type { MarketNow, Questions } from '../session/view.ts';

/** Number of orders, and chain time in ms, after which the market is confirmed again. */
const CONFIRMED_FOR_ORDERS = 16;
const CONFIRMED_FOR_MS = 60_000;

/** Most that one host's price may be above or below the confirmed price without a second host, basis points. */
const MOST_ABOVE_BPS = 100n;
/** Less than half of the slippage of a first try: an order by a better quote than the pool's would revert. */
const MOST_BELOW_BPS = 25n;

/** Chain time between two requests for a confirmed market, ms: each goes to every host. */
const RETRY_MS = 3000;

/**
 * Reads the market for the next orders. Two hosts confirm it before the first order, from time to time, after each revert, and when it
 * moved or has no offer. So one host cannot make an order much more expensive or end a job. While only one host answers, the job still
 * buys near the confirmed price. Source: docs/adr/0116.
 */
export function askMarket(tick: Tick, question: Omit<Questions['market'][0], 'isConfirmed'>): MarketNow {
  const { memory, nowMs, execution } = tick;
  const known = memory.confirmedQuote;
  const isDue =
    execution.consecutiveFailures > 0 ||
    execution.ordersSigned - (known?.atOrder ?? 0) >= CONFIRMED_FOR_ORDERS ||
    nowMs - (known?.atMs ?? 0) >= CONFIRMED_FOR_MS;
  if (known && !isDue) {
    const market = tick.ask('market', { ...question, isConfirmed: false });
    if (market.isConfirmed || isNear(market, known.priceX96)) return market;
  }
  tick.note('the market needs a second host', {}, { nextQuoteAtMs: nowMs + RETRY_MS });
  const confirmed = tick.ask('market', { ...question, isConfirmed: true });
  if (!confirmed.isConfirmed && !(known && isNear(confirmed, known.priceX96)))
    tick.wait('no second host confirms the market');
  const [offer] = confirmed.isConfirmed ? confirmed.offers : [];
  const quote = offer ? { priceX96: priceNow(offer.curve), atOrder: execution.ordersSigned, atMs: nowMs } : known;
  tick.note('the market is confirmed', {}, { nextQuoteAtMs: memory.nextQuoteAtMs, confirmedQuote: quote });
  return confirmed;
}

function isNear({ offers: [offer] }: MarketNow, confirmedX96: bigint): boolean {
  if (!offer) return false;
  const priceX96 = priceNow(offer.curve);
  return priceX96 <= priceAbove(confirmedX96, MOST_ABOVE_BPS) && confirmedX96 <= priceAbove(priceX96, MOST_BELOW_BPS);
}
