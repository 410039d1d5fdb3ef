import { Injectable } from '@nestjs/common';
import { TOO_LATE } from '../execution/held-reason.ts';
import { latestEnding } from '../execution/latest-ending.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { freeBalance } from '../ledger/ledger-entry.ts';
import { PauseControl } from '../pause/pause-control.ts';
import { refundTransfers } from '../refund/refund.ts';
import { mostTransferred } from '../send/return-transfer.ts';
import { mostTaken } from '../transaction/transaction.ts';
import { EndExecution } from './end-execution.ts';

/**
 * Ends a job whose published latest end has come, whatever it waits for: a transaction that stays in no block, gas above what is
 * ever paid, an operator's pause. What is under way is followed on; the rest is held. Source: design § 4 'End'.
 */
@Injectable()
export class EndLateExecution {
  constructor(
    private readonly pauses: PauseControl,
    private readonly ending: EndExecution,
  ) {}

  async end(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, open, head } = leased;
    const { id, totals, attempts } = execution;
    // A refund under way takes no more than is set aside for it anyway.
    const own = open.filter((transaction) => !transaction.id.startsWith(refundTransfers(id)));
    const underWayWei = own.reduce((sum, transaction) => sum + mostTaken(transaction), 0n);
    const isLeft = mostTransferred(freeBalance(totals) - underWayWei, head.baseFeeWei) !== undefined;
    const isHeld = isLeft || totals.boughtWei > totals.deliveredWei;
    const ending = latestEnding(execution);
    const resumed = await this.pauses.set(leased, undefined);
    return this.ending.end(resumed, isHeld ? (attempts?.refusal ?? TOO_LATE) : null, {
      change: { ending, ...(open.length > 0 && { attention: true }) },
      underWayWei,
    });
  }
}
