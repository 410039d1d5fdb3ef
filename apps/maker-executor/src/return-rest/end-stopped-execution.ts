import { formatHype } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { latestEnding } from '../execution/latest-ending.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { writeOff } from '../execution/write-off.ts';
import { EndExecution } from './end-execution.ts';

/**
 * Ends a job that was cancelled, or whose latest end has come, while its wallet is stopped: nothing is sent on a ledger that the chain
 * contradicts; what is missing is booked so, and what is left is held.
 */
@Injectable()
export class EndStoppedExecution {
  constructor(
    private readonly chain: ChainAccess,
    private readonly ending: EndExecution,
    private readonly clock: Clock,
  ) {}

  async end(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head, open } = leased;
    const balanceWei = await this.chain.balance(execution.walletAddress, head.number);
    if (balanceWei === undefined) return leased;
    const { missingWei, entries, change } = writeOff(execution, balanceWei, new Date(this.clock.now()));
    const reason =
      missingWei > 0n
        ? `the chain shows ${formatHype(missingWei)} HYPE less than the ledger`
        : `ledger and chain did not agree ${execution.cancelled ? 'when the job was cancelled' : 'at the latest end that was published'}`;
    // Signed transactions that the chain does not have may still be mined once there is money: they are followed on.
    const isOpen = open.length > 0;
    return this.ending.end(leased, reason, {
      entries,
      change: { ...change, recheck: isOpen, attention: isOpen, paused: null, ending: latestEnding(execution) },
    });
  }
}
