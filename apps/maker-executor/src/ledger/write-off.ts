import { formatHype } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import type { Execution } from '../execution/execution.ts';
import type { ExecutionContext } from '../execution/execution-context.ts';
import type { ExecutionChange } from '../execution/executions.repository.ts';
import { EndExecution } from '../return-rest/end-execution.ts';
import { addEntries, expectedBalance, freeBalance, type LedgerEntry, ledgerEntry } from './ledger-entry.ts';

/** What giving up missing money changes. */
export interface WrittenOff {
  readonly missingWei: bigint;
  readonly entries: readonly LedgerEntry[];
  readonly change: Required<Pick<ExecutionChange, 'totals' | 'driftWei' | 'recheck'>>;
}

/**
 * Books money as missing that the chain shows no longer, so that ledger and chain agree: what is free first, then what
 * was set apart. Only an operator's word leads here.
 * @param balanceWei what the chain shows
 */
export function writeOff(execution: Execution, balanceWei: bigint, now: Date): WrittenOff {
  const { id: jobId, totals, revision } = execution;
  const difference = expectedBalance(totals) - balanceWei;
  const missingWei = difference > 0n ? difference : 0n;
  const fromHeldWei = missingWei - freeBalance(totals);
  const entry = (kind: 'released' | 'missing', amountWei: bigint) =>
    amountWei > 0n
      ? [
          ledgerEntry(`${jobId}/missing/${revision}`, kind, {
            ...{ jobId, amountWei, transactionHash: null, blockNumber: null },
            recordedAt: now,
          }),
        ]
      : [];
  const entries = [...entry('released', fromHeldWei), ...entry('missing', missingWei)];
  return { missingWei, entries, change: { totals: addEntries(totals, entries), driftWei: 0n, recheck: false } };
}

/**
 * Ends a job that an operator cancelled while its wallet is stopped: nothing is sent on a ledger that the chain
 * contradicts; what is missing is booked so, and what is left is held.
 */
@Injectable()
export class EndStoppedExecution {
  constructor(
    private readonly chain: ChainAccess,
    private readonly ending: EndExecution,
    private readonly clock: Clock,
  ) {}

  async end(context: ExecutionContext): Promise<ExecutionContext> {
    const { execution, head, open } = context;
    const balanceWei = await this.chain.balance(execution.walletAddress, head.number);
    if (balanceWei === undefined) return context;
    const { missingWei, entries, change } = writeOff(execution, balanceWei, new Date(this.clock.now()));
    const reason =
      missingWei > 0n
        ? `the chain shows ${formatHype(missingWei)} HYPE less than the ledger`
        : 'ledger and chain did not agree when the job was cancelled';
    const ending = execution.ending ?? { kind: 'cancelled' as const, message: 'an operator cancelled the job' };
    // Signed transactions that the chain does not have may still be mined once there is money: they are followed on.
    const isOpen = open.length > 0;
    return this.ending.end(context, reason, {
      entries,
      change: { ...change, recheck: isOpen, attention: isOpen, paused: null, ending },
    });
  }
}
