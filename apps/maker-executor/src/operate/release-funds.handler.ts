import { fundsReleased, refundHeld, releaseFunds } from '@maker/contracts';
import { HandleRequest, Outbox, RequestFailure } from '@maker/messaging';
import { inTransaction, MONGO_CONNECTION } from '@maker/persistence';
import { formatHype } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { Connection } from 'mongoose';
import { getAddress } from 'viem';
import type { z } from 'zod';
import { ChainAccess } from '../chain/chain-access.ts';
import { HeadFeed } from '../chain/head-feed.ts';
import type { Execution } from '../execution/execution.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { ABSENT } from '../execution/held-reason.ts';
import { WalletClaims } from '../execution/wallet-claims.ts';
import { type WrittenOff, writeOff } from '../execution/write-off.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, ledgerEntry } from '../ledger/ledger-entry.ts';
import { type Refund } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { decideRelease, holdsNothing, NotPossibleNow } from './decide-release.ts';

/** Sends what is held for an ended job on its way, by an operator's command. */
@Controller()
export class ReleaseFundsHandler {
  constructor(
    @Inject(MONGO_CONNECTION) private readonly connection: Connection,
    private readonly executions: ExecutionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly ledger: LedgerRepository,
    private readonly chain: ChainAccess,
    private readonly feed: HeadFeed,
    private readonly claims: WalletClaims,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  @HandleRequest(releaseFunds)
  async release({ jobId, to: wanted }: z.output<typeof releaseFunds.request>) {
    const stored = await this.executions.find(jobId);
    if (!stored) throw new NotPossibleNow('No money of this job was ever worked on');
    const missing = await this.missing(stored);
    const execution: Execution = { ...stored, ...missing?.change };
    const refunds = await this.refunds.ofJob(jobId);
    const held = refunds.filter(({ state }) => state === 'held');
    if (missing && stored.endedAt && holdsNothing(execution)) return this.giveUp(stored, missing, held);
    const { to, amountWei } = decideRelease(execution, refunds, wanted && getAddress(wanted));
    if (await this.executions.isWallet(to)) throw new NotPossibleNow('That is the wallet of another job');
    const releasedAt = new Date(this.clock.now());
    const entry = ledgerEntry(`${jobId}/release/${stored.revision}`, 'released', {
      jobId,
      amountWei,
      transactionHash: null,
      blockNumber: null,
      recordedAt: releasedAt,
    });
    const entries = [...(missing?.entries ?? []), ...(amountWei === 0n ? [] : [entry])];
    const change = {
      ...missing?.change,
      phase: 'delivery' as const,
      returnAddress: to,
      releasedAt,
      attempts: null,
      heldReason: null,
      endedAt: null,
      attention: true,
      totals: addEntries(stored.totals, entries),
    };
    await inTransaction(this.connection, async (session) => {
      await this.executions.change(stored, change, session);
      await this.ledger.append(entries, session);
      for (const refund of held) await this.refunds.enter(refund, 'released', session);
      const data = { to, amountWei: amountWei.toString(), returnIds: held.map(({ id }) => id) };
      await this.outbox.record(fundsReleased, { jobId, data }, session);
    });
    this.claims.wake();
    return { outcome: `${formatHype(amountWei)} HYPE and undelivered tokens are on their way to ${to}` };
  }

  /** A release decides about what the chain shows: what it shows no longer is booked as missing. */
  private async missing(execution: Execution): Promise<WrittenOff | undefined> {
    if (execution.driftWei >= 0n || execution.recheck) return undefined;
    const { head } = this.feed;
    const balanceWei = head && (await this.chain.balance(execution.walletAddress, head.number));
    if (balanceWei === undefined) throw new RequestFailure('SERVICE_UNAVAILABLE', 'The chain cannot be read now');
    return writeOff(execution, balanceWei, new Date(this.clock.now()));
  }

  /** Nothing is left to send: the wallet agrees with the chain again, and the returns say that their money is gone. */
  private async giveUp(execution: Execution, missing: WrittenOff, held: readonly Refund[]) {
    const { id: jobId } = execution;
    await inTransaction(this.connection, async (session) => {
      await this.executions.change(execution, { ...missing.change, heldReason: null }, session);
      await this.ledger.append(missing.entries, session);
      for (const { id: returnId, amountWei } of held) {
        const data = { returnId, amountWei: amountWei.toString(), reason: ABSENT, absent: true as const };
        await this.outbox.record(refundHeld, { jobId, data }, session);
      }
    });
    return { outcome: `${formatHype(missing.missingWei)} HYPE are booked as missing; nothing is left to release` };
  }
}
