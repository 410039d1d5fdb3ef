import {
  type Attempts,
  addAttempt,
  beginAttempts,
  DUST,
  isExhausted,
  isTooEarly,
  ownBalance,
  unexplainedSurplus,
} from '@maker/execution-records';
import { AgreedRecipient } from '@maker/signing/agreement';
import type { Tick } from '../session/tick.ts';
import { mostTransferred, returnTransfer } from '../wallet/return-transfer.ts';
import { end } from './end.ts';
import { refundDeposits } from './refund.ts';
import { sendWhenRoom } from './send-when-room.ts';

/** Blocks that payment-watcher has to report deposits; money that is unexplained by then is returned with the rest. */
const EXPLAINED_WITHIN_BLOCKS = 20;

/** Time after which the rest is returned before further refunds, so that dust of strangers delays no job's end. */
const REFUNDS_FIRST_MS = 60_000;

/** Time after which the rest is held, for any reason of the delay. */
const GIVEN_UP_AFTER_MS = 600_000;

/**
 * Refunds deposits that pay for no order, each to its own recipient. Then returns all remaining HYPE in one transfer, including
 * unexplained money, and ends the execution. Source: design § 4.
 */
export function returnRest(tick: Tick) {
  const { execution, nowMs } = tick;
  const attempts = execution.attempts ?? beginAttempts(nowMs);
  if (!execution.attempts) tick.note('return begins', { attempts });
  if (tick.open.length > 0) return tick.wait('the return is under way');
  const waitedMs = nowMs - attempts.sinceMs;
  if (waitedMs >= GIVEN_UP_AFTER_MS) return end(tick, attempts.refusal ?? 'the rest could not be returned in time');
  if (isTooEarly(attempts, nowMs, false)) return tick.wait('the next attempt comes later');
  const isLate = waitedMs >= REFUNDS_FIRST_MS;
  refundDeposits(tick, isLate);
  afterRefunds(tick, attempts, isLate);
}

function afterRefunds(tick: Tick, attempts: Attempts, isLate: boolean) {
  const { execution, head, memory } = tick;
  const sums = tick.refundSums();
  const unexplainedWei = unexplainedSurplus(execution, sums);
  const surplusWei = unexplainedWei > 0n ? unexplainedWei : 0n;
  // Counted once for the whole phase, so that repeated small transfers cause no further delay.
  const since = memory.surplusSinceBlock ?? head.number;
  if (surplusWei > 0n) tick.note('money is unexplained', {}, { surplusSinceBlock: since });
  const isExplained = surplusWei === 0n || head.number - since >= EXPLAINED_WITHIN_BLOCKS;
  if (!isExplained && !isLate) return tick.wait('payment-watcher may explain the money');
  const restWei = ownBalance(execution, sums);
  if (restWei <= 0n) return end(tick, null);
  const recipient = AgreedRecipient.ofReturn(execution, tick.rules.trust);
  if ('holdReason' in recipient) return end(tick, recipient.holdReason);
  if (isExhausted(attempts)) return end(tick, attempts.refusal ?? 'the return address reverted the return');
  send(tick, { attempts, to: recipient, restWei, surplusWei });
}

function send(
  tick: Tick,
  {
    attempts,
    to: { address: to },
    ...sums
  }: { attempts: Attempts; to: AgreedRecipient } & Record<'restWei' | 'surplusWei', bigint>,
) {
  const { execution, head, nowMs } = tick;
  const { restWei, surplusWei } = sums;
  const tooSmall = execution.releasedAt === null ? null : DUST;
  const mostWei = mostTransferred(restWei, head.baseFeeWei);
  if (mostWei === undefined) return end(tick, tooSmall);
  const gas = tick.ask('transferGas', { to, valueWei: mostWei });
  if ('refusal' in gas) {
    const refusal = `the return address takes no HYPE: it ${gas.refusal}`;
    tick.note(refusal, { attempts: addAttempt(attempts, nowMs, refusal) });
    return tick.wait(refusal);
  }
  const emptied = returnTransfer(restWei, BigInt(gas.gasLimit), head.baseFeeWei);
  if (!emptied) return end(tick, tooSmall);
  sendWhenRoom(
    tick,
    {
      id: `${execution.id}/return/${tick.signed(['return']).length + 1}`,
      purpose: 'return',
      to,
      valueWei: emptied.valueWei,
      data: '0x',
      gasLimit: gas.gasLimit,
      ...emptied.fees,
    },
    { absorbedWei: execution.absorbedWei + surplusWei, attempts: addAttempt(attempts, nowMs) },
  );
}
