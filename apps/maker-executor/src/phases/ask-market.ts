import { priceAbove, priceNow } from '@maker/rules';
import type { Tick } from '../session/tick.ts';
import type { MarketNow, Questions } from '../session/view.ts';

/** Orders, and chain time in ms, after which the market is confirmed anew. */
const CONFIRMED_FOR_ORDERS = 16;
const CONFIRMED_FOR_MS = 60_000;

/** How much dearer or cheaper than the confirmed price one host's word is enough, basis points. */
const DEARER_BPS = 100n;
/** Less than half of the slippage of a first try: an order by a better quote than the pool's would revert. */
const CHEAPER_BPS = 25n;

/** Chain time between two questions that hosts answer differently, ms: each is asked of every host. */
const RETRY_MS = 3000;

/**
 * The market by which orders are placed. Two hosts confirm it before the first order, then now and then, after each revert, and where it has
 * moved or offers nothing: what one host tells makes no order much dearer, and ends no job. Where one host alone answers, orders go on near the
 * confirmed price. Source: docs/adr/0116. @returns undefined where the tick is over
 */
export function askMarket(tick: Tick, question: Omit<Questions['market'][0], 'isConfirmed'>): MarketNow | undefined {
  const { memory, nowMs, execution } = tick;
  const known = memory.confirmedQuote;
  const isDue =
    execution.consecutiveFailures > 0 ||
    execution.ordersSigned - (known?.atOrder ?? 0) >= CONFIRMED_FOR_ORDERS ||
    nowMs - (known?.atMs ?? 0) >= CONFIRMED_FOR_MS;
  if (known && !isDue) {
    const told = tick.ask('market', { ...question, isConfirmed: false });
    if (told.isConfirmed || isNear(told, known.priceX96)) return told;
  }
  tick.note('the market needs a second host', {}, { nextQuoteAtMs: nowMs + RETRY_MS });
  const confirmed = tick.ask('market', { ...question, isConfirmed: true });
  if (!confirmed.isConfirmed && !(known && isNear(confirmed, known.priceX96))) {
    tick.wait('one host alone tells the market');
    return undefined;
  }
  const [offer] = confirmed.isConfirmed ? confirmed.offers : [];
  const quote = offer ? { priceX96: priceNow(offer.curve), atOrder: execution.ordersSigned, atMs: nowMs } : known;
  tick.note('the market is confirmed', {}, { nextQuoteAtMs: memory.nextQuoteAtMs, confirmedQuote: quote });
  return confirmed;
}

function isNear({ offers: [offer] }: MarketNow, confirmedX96: bigint): boolean {
  if (!offer) return false;
  const priceX96 = priceNow(offer.curve);
  return priceX96 <= priceAbove(confirmedX96, DEARER_BPS) && confirmedX96 <= priceAbove(priceX96, CHEAPER_BPS);
}
