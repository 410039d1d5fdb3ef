import type { ExecutionEnding } from '@maker/execution-records';
import { priceAbove } from '@maker/rules';
import { CANCELLED, endInTime } from '../execution/latest-ending.ts';
import { missedAt } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';
import { transferFees } from '../wallet/fees.ts';
import { provePayer } from './prove-sender.ts';
import { check } from './reconcile.ts';
import { sendWhenRoom } from './send-when-room.ts';

/** Blocks after which a missing deposit counts as true, not as an endpoint's lag. */
const LAG_BLOCKS = 10;

/** Chain time between two requests for the price, ms: each goes to every host. */
const CONFIRM_RETRY_MS = 15_000;

/** Ending of a job whose plan was over before its fee was sent. */
const OVER_BEFORE_BEGIN = {
  kind: 'technical',
  message: 'the time of its plan ended before the job could start',
} as const;

/** Pays exactly 30 % to the treasury, once, as the job's first transaction; then starts trading. Source: design § 4 'Fee'. */
export function payFee(tick: Tick) {
  const { execution, head, rules } = tick;
  if (tick.open.length > 0) return tick.wait('the fee is under way');
  if (execution.totals.feeWei === execution.feeWei) return beginTrading(tick);
  if (tick.signed(['fee']).length > 0) return refuseFee(tick);
  const balance = tick.ask('balance', { expectedWei: execution.depositWei });
  if (balance === undefined || balance.balanceWei < execution.depositWei) return waitForDeposit(tick);
  tick.note('deposit shown', {}, { depositMissed: null });
  provePayer(tick);
  if (tick.isOver) return;
  // After a wrong clock or a long outage, the job could buy nothing for its fee.
  if (tick.nowMs >= execution.plan.tradingEndsAt.getTime())
    return endWithoutFee(tick, execution.paused?.reason === 'price_band' ? endInTime(execution) : OVER_BEFORE_BEGIN);
  confirmPrice(tick);
  if (tick.isOver || tick.execution.phase !== 'fee') return;
  const to = rules.treasury;
  const gas = tick.ask('transferGas', { to, valueWei: execution.feeWei });
  if ('refusal' in gas) return refuseFee(tick);
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
 * saw. Source: docs/adr/0114.
 */
function confirmPrice(tick: Tick) {
  const { plan, confirmedPriceX96, cancelled } = tick.execution;
  if (plan.seenPriceX96 === null || confirmedPriceX96 !== undefined) return;
  if (tick.nowMs < tick.memory.nextQuoteAtMs && !cancelled) return tick.wait('the price was queried a moment ago');
  const priceX96 = tick.ask('confirmedPrice', {});
  if (priceX96 === 'none') return;
  const isOutside = priceX96 === 'unconfirmed' || priceX96 > priceAbove(plan.seenPriceX96, BigInt(plan.bandBps));
  if (isOutside && cancelled) return endWithoutFee(tick, CANCELLED);
  const again = { nextQuoteAtMs: tick.nowMs + CONFIRM_RETRY_MS };
  if (priceX96 === 'unconfirmed') return tick.wait('the price is not confirmed', again);
  if (isOutside) {
    tick.pause('price_band');
    return tick.wait('the price is above the band', again);
  }
  tick.resume();
  tick.note('the price is confirmed', { confirmedPriceX96: priceX96 });
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
