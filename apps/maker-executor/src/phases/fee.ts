import { missedAt } from '../session/session.ts';
import type { Tick } from '../session/tick.ts';
import { transferFees } from '../wallet/fees.ts';
import { provePayer } from './prove-sender.ts';
import { check } from './reconcile.ts';
import { sendWhenRoom } from './send-when-room.ts';

/** An endpoint that does not show the deposit is believed after this many blocks. */
const LAG_BLOCKS = 10;

/** Why a job ends whose plan was over when it came to its fee. */
const OVER_BEFORE_BEGIN = 'the time of its plan was over before it could begin';

/** Pays exactly 30 % to the treasury, once, as the job's first transaction; then trading begins. Source: design § 4 'Fee'. */
export function payFee(tick: Tick) {
  const { execution, head, rules } = tick;
  if (tick.open.length > 0) return tick.wait('the fee is under way');
  if (execution.totals.feeWei === execution.feeWei) return beginTrading(tick);
  if (tick.signed(['fee']).length > 0) return refuseFee(tick);
  const balance = tick.ask('balance', {});
  if (balance === undefined || balance.balanceWei < execution.depositWei) return waitForDeposit(tick);
  tick.note('deposit shown', {}, { depositMissed: null });
  provePayer(tick);
  if (tick.isOver) return;
  // Whatever made it so, a false clock or a long outage: nothing could be bought for the fee.
  if (tick.nowMs >= execution.plan.tradingEndsAt.getTime()) return endWithoutFee(tick, OVER_BEFORE_BEGIN);
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

/** The treasury is ours: nothing is bought without its fee, and the payer has the money back. */
function refuseFee(tick: Tick) {
  const reason = 'the treasury refused the fee';
  tick.add({ kind: 'note', reason, feeRefused: true });
  endWithoutFee(tick, reason);
}

function endWithoutFee(tick: Tick, reason: string) {
  tick.add({
    kind: 'enterPhase',
    reason,
    phase: 'delivery',
    change: { phase: 'delivery', ending: { kind: 'technical', message: reason } },
  });
}

/** The endpoint may not have seen the deposit yet; after a while the deposit has left the chain. */
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
