import { CANCELLED, type Execution, type ExecutionEnding, endInTime } from '@maker/execution-records';
import { priceAbove } from '@maker/rules';
import { missedAt } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';
import { transferFees } from '../wallet/fees.ts';
import { provePayer } from './prove-sender.ts';
import { check } from './reconcile.ts';
import { sendWhenRoom } from './send-when-room.ts';

/** Blocks after which a missing deposit counts as true, not as an endpoint's lag. */
const LAG_BLOCKS = 10;

/** Chain time between two requests for the price or the capacity, ms: those for the price go to every host. */
const CONFIRM_RETRY_MS = 15_000;

/** Ending of a job whose plan was over before its fee was sent. */
const OVER_BEFORE_BEGIN = {
  kind: 'technical',
  message: 'the time of its plan ended before the job could start',
} as const;

/** Why a job ends whose payment came late: it is returned. */
export const PAID_LATE = 'it was paid after the agreed deadline';

/** Pays exactly 30 % to the treasury, once, as the job's first transaction; then starts trading. Source: design § 4 'Fee'. */
export function payFee(tick: Tick) {
  const { execution, head, rules } = tick;
  if (tick.open.length > 0) return tick.wait('the fee is under way');
  if (execution.totals.feeWei === execution.feeWei) return beginTrading(tick);
  if (tick.signed(['fee']).length > 0) return refuseFee(tick);
  const balance = tick.ask('balance', { expectedWei: execution.depositWei });
  if (balance === undefined || balance.balanceWei < execution.depositWei) return waitForDeposit(tick);
  tick.note('deposit shown', {}, { depositMissed: null });
  if (provePayer(tick) === 'late') return endWithoutFee(tick, { kind: 'technical', message: PAID_LATE });
  // After a wrong clock or a long outage, the job could buy nothing for its fee.
  if (tick.nowMs >= execution.plan.tradingEndsAt.getTime())
    return endWithoutFee(tick, execution.paused?.reason === 'price_band' ? endInTime(execution) : OVER_BEFORE_BEGIN);
  if (tick.nowMs < tick.memory.nextQuoteAtMs && !execution.cancelled)
    return tick.wait('the price and the capacity were queried a moment ago');
  const confirmed = confirmPrice(tick);
  if (!confirmed) return;
  const to = rules.treasury;
  const gas = tick.ask('transferGas', { to, valueWei: execution.feeWei });
  if ('refusal' in gas) return refuseFee(tick);
  // Last, so that a job that books pays its fee: a stranger can hold no capacity without one.
  if (!isBooked(tick)) return;
  tick.resume();
  tick.note('the job may begin', confirmed);
  sendWhenRoom(tick, {
    id: `${execution.id}/fee`,
    purpose: 'fee',
    to,
    valueWei: execution.feeWei,
    data: '0x',
    gasLimit: gas.gasLimit,
    ...transferFees(head.baseFeeWei, head.tipWei),
  });
}

/**
 * Waits until two hosts of the executor agree on a price within the band: only token-validation reported the price that the visitor
 * saw. The job keeps it with its booking: while it waits for that, the price may change. Source: docs/adr/0114.
 * @returns undefined if the job waits or ends
 */
function confirmPrice(tick: Tick): Pick<Execution, 'confirmedPriceX96'> | undefined {
  const { plan, confirmedPriceX96, cancelled } = tick.execution;
  if (plan.seenPriceX96 === null || confirmedPriceX96 !== undefined) return {};
  const priceX96 = tick.ask('confirmedPrice', {});
  if (priceX96 === 'none') return {};
  const isOutside = priceX96 === 'unconfirmed' || priceX96 > priceAbove(plan.seenPriceX96, BigInt(plan.bandBps));
  if (!isOutside) return { confirmedPriceX96: priceX96 };
  if (cancelled) {
    endWithoutFee(tick, CANCELLED);
    return undefined;
  }
  if (priceX96 !== 'unconfirmed') tick.pause('price_band');
  const why = priceX96 === 'unconfirmed' ? 'the price is not confirmed' : 'the price is above the band';
  tick.wait(why, { nextQuoteAtMs: tick.nowMs + CONFIRM_RETRY_MS });
  return undefined;
}

/** Books the job's pace, or waits for it: the job service may have given it to another job. Source: docs/adr/0155. */
function isBooked(tick: Tick): boolean {
  const isBooked = tick.claim('capacity', {});
  if (isBooked) return true;
  if (tick.execution.cancelled) {
    endWithoutFee(tick, CANCELLED);
    return false;
  }
  if (isBooked === false) tick.pause('capacity');
  const why = isBooked === false ? 'other jobs use the capacity' : 'the job service does not answer';
  tick.wait(why, { nextQuoteAtMs: tick.nowMs + CONFIRM_RETRY_MS });
  return false;
}

/** Ends the job without purchases because our treasury does not accept the fee; the payer receives the money back. */
function refuseFee(tick: Tick) {
  const reason = 'the treasury refused the fee';
  tick.add({ kind: 'note', reason, feeRefused: true });
  endWithoutFee(tick, { kind: 'technical', message: reason });
}

/** Ends the job so that the payer receives all money back, less gas. */
function endWithoutFee(tick: Tick, ending: ExecutionEnding) {
  tick.resume();
  tick.add({ kind: 'enterPhase', reason: ending.message, phase: 'delivery', change: { phase: 'delivery', ending } });
}

/** Waits for an endpoint that lags. If the deposit stays missing, it has left the chain, and the wallet is checked. */
function waitForDeposit(tick: Tick) {
  const depositMissed = missedAt(tick.memory.depositMissed, tick.head.number);
  tick.note('deposit not shown', {}, { depositMissed });
  if (tick.head.number - depositMissed.sinceBlock >= LAG_BLOCKS) check(tick);
  tick.wait('the deposit is not shown yet');
}

function beginTrading(tick: Tick) {
  const metadata = tick.ask('tokenMetadata', {});
  const token = metadata ? { symbol: metadata.symbol, decimals: metadata.decimals } : null;
  const change = { phase: 'trading', nextOrderAtMs: tick.nowMs, token } as const;
  tick.add({ kind: 'enterPhase', reason: 'the fee is paid', phase: 'trading', change });
}
