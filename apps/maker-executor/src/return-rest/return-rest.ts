import { executionCompleted, executionFailed } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock, LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Logger } from 'pino';
import type { Address } from 'viem';
import { ChainAccess } from '../chain-access.ts';
import type { Execution } from '../execution.ts';
import { LedgerCheck } from '../ledger/ledger-check.ts';
import { addEntries, freeBalance, gasPaid, ledgerEntry } from '../ledger/ledger-entry.ts';
import { LedgerRepository } from '../ledger.repository.ts';
import type { ExecutionContext } from '../run-execution/execution-context.ts';
import { ExecutionWriter } from '../run-execution/execution-writer.ts';
import type { PhaseStep } from '../run-execution/phase-step.ts';
import { isRefusedByContract } from '../send/execution-reverts.ts';
import { wasReverted } from '../send/transaction.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { transferGas } from '../send/transfer-gas.ts';
import { TransactionsRepository } from '../transactions.repository.ts';
import { returnTransfer } from './return-amount.ts';

/** Reverted returns after which the rest is held for an operator. */
const MOST_ATTEMPTS = 3;

/** Returns all HYPE that is left in one transfer, checks the sums, and ends the execution. Source: design § 4. */
@Injectable()
export class ReturnRest implements PhaseStep {
  constructor(
    private readonly chain: ChainAccess,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly check: LedgerCheck,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async advance(context: ExecutionContext): Promise<ExecutionContext> {
    if (context.open.length > 0) return context;
    const checked = await this.check.now(context);
    // The endpoint lags, a surplus was booked or the wallet is stopped: the next look decides on what is true by then.
    if (!checked || checked.execution.revision !== context.execution.revision) return checked ?? context;
    const { execution, head } = checked;
    const restWei = freeBalance(execution.totals);
    if (restWei === 0n) return this.finish(checked, null);
    if (execution.returnAddress === null) return this.finish(checked, 'no return address is known');
    const tried = await this.transactions.ofPurposes(execution.id, ['return']);
    if (tried.filter(wasReverted).length >= MOST_ATTEMPTS)
      return this.finish(checked, 'the return address reverted the return');

    const gasLimit = await this.gasOf(execution, execution.returnAddress);
    if (gasLimit === undefined) return this.finish(checked, 'the return address refuses HYPE');
    const transfer = returnTransfer(restWei, BigInt(gasLimit), head.baseFeeWei);
    if (!transfer) return this.finish(checked, null);
    return this.sender.send(checked, [
      {
        id: `${execution.id}/return/${tried.length + 1}`,
        purpose: 'return',
        to: execution.returnAddress,
        valueWei: transfer.valueWei,
        data: '0x',
        gasLimit,
        ...transfer.fees,
      },
    ]);
  }

  private async gasOf({ walletAddress: from }: Execution, to: Address): Promise<number | undefined> {
    try {
      return await transferGas(this.chain.client, { from, to, valueWei: 1n });
    } catch (error) {
      if (isRefusedByContract(error)) return undefined;
      throw error;
    }
  }

  private async finish(context: ExecutionContext, heldReason: string | null): Promise<ExecutionContext> {
    await this.check.addUp(context);
    const { execution, head } = context;
    const now = new Date(this.clock.now());
    const held = ledgerEntry(execution.id, 'held', {
      jobId: execution.id,
      amountWei: heldReason === null ? 0n : freeBalance(execution.totals),
      transactionHash: null,
      blockNumber: head.number,
      recordedAt: now,
    });
    const entries = held.amountWei === 0n ? [] : [held];
    const reasons = [...new Set([execution.heldReason, heldReason].filter((reason) => reason !== null))];
    const totals = addEntries(execution.totals, entries);
    const ended: Execution = { ...execution, totals, heldReason: reasons.join('; ') || null };
    const after = await this.writer.write(
      context,
      {
        totals,
        heldReason: ended.heldReason,
        phase: execution.ending?.kind === 'completed' ? 'completed' : 'failed',
        endedAt: now,
      },
      async (session) => {
        await this.ledger.append(entries, session);
        await this.announce(ended, session);
      },
    );
    this.check.forget(execution.id);
    const line = { jobId: execution.id, ending: execution.ending?.kind, orders: execution.ordersPlaced };
    if (ended.heldReason)
      this.logger.error({ ...line, heldReason: ended.heldReason }, 'execution ended; money is held');
    else this.logger.info(line, 'execution ended');
    return after;
  }

  private async announce(execution: Execution, session: ClientSession): Promise<void> {
    const { id: jobId, totals, ending, ordersPlaced, heldReason } = execution;
    const returnedWei = totals.returnedWei.toString();
    if (ending && ending.kind !== 'completed') {
      const { kind: reason, message } = ending;
      await this.outbox.record(
        executionFailed,
        { jobId, data: { reason, message, ordersPlaced, returnedWei } },
        session,
      );
      return;
    }
    await this.outbox.record(
      executionCompleted,
      {
        jobId,
        data: {
          ordersPlaced,
          returnedWei,
          tradedWei: totals.orderWei.toString(),
          gasWei: gasPaid(totals).toString(),
          feeWei: totals.feeWei.toString(),
          deliveredTokens: totals.deliveredWei.toString(),
          ...(heldReason !== null && { heldReason }),
        },
      },
      session,
    );
  }
}
