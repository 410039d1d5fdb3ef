import { depositHeld, depositReturned, executionCompleted, executionFailed } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock, LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Logger } from 'pino';
import type { Address } from 'viem';
import { ChainAccess } from '../chain-access.ts';
import type { Execution, ExecutionPhase } from '../execution.ts';
import { LedgerCheck } from '../ledger/ledger-check.ts';
import { addEntries, freeBalance, gasPaid, ledgerEntry } from '../ledger/ledger-entry.ts';
import { LedgerRepository } from '../ledger.repository.ts';
import { addReason, DUST, unexplainedSurplus } from '../refund-deposits/refund.ts';
import { RefundDeposits } from '../refund-deposits/refund-deposits.ts';
import { SurplusPatience } from '../refund-deposits/surplus-patience.ts';
import { RefundsRepository } from '../refunds.repository.ts';
import type { ExecutionContext } from '../run-execution/execution-context.ts';
import { ExecutionWriter } from '../run-execution/execution-writer.ts';
import type { PhaseStep } from '../run-execution/phase-step.ts';
import { isRefusedByContract } from '../send/execution-reverts.ts';
import { type TransactionRecord, wasReverted } from '../send/transaction.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { transferGas } from '../send/transfer-gas.ts';
import { TransactionsRepository } from '../transactions.repository.ts';
import { returnTransfer } from './return-amount.ts';

/** Reverted returns after which the rest is held for an operator. */
const MOST_ATTEMPTS = 3;

/** Blocks in which payment-watcher is heard of what it saw; what nobody explained by then goes with the rest. */
const EXPLAINED_WITHIN_BLOCKS = 20;

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
    private readonly deposits: RefundDeposits,
    private readonly refunds: RefundsRepository,
    private readonly patience: SurplusPatience,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async advance(context: ExecutionContext): Promise<ExecutionContext> {
    if (context.open.length > 0) return context;
    const checked = await this.check.now(context);
    // The endpoint lags, a surplus was booked or the wallet is stopped: the next look decides on what is true by then.
    if (!checked || checked.execution.revision !== context.execution.revision) return checked ?? context;
    // Deposits that pay for no order first, each to its own recipient; what no deposit explains goes with the rest.
    const { context: settled, idle } = await this.deposits.advance(checked);
    if (!idle) return settled;
    const { execution, head } = settled;
    const surplusWei = unexplainedSurplus(execution, await this.refunds.ofJob(execution.id));
    if (surplusWei <= 0n) this.patience.forget(execution.id);
    else if (this.patience.waited(execution.id, head.number) < EXPLAINED_WITHIN_BLOCKS) return settled;
    return this.returnRest(settled, surplusWei > 0n ? surplusWei : 0n);
  }

  private async returnRest(checked: ExecutionContext, surplusWei: bigint): Promise<ExecutionContext> {
    const { execution, head } = checked;
    const restWei = freeBalance(execution.totals);
    if (restWei === 0n) return this.finish(checked, null);
    if (execution.returnAddress === null) return this.finish(checked, 'no return address is known');
    const returns = await this.transactions.ofPurposes(execution.id, ['return']);
    const tried = returns.filter(({ id }) => id.startsWith(`${execution.id}/return/`));
    if (tried.filter((one) => wasReverted(one) && isSince(one, execution)).length >= MOST_ATTEMPTS)
      return this.finish(checked, 'the return address reverted the return');

    const gasLimit = await this.gasOf(execution, execution.returnAddress);
    if (gasLimit === undefined) return this.finish(checked, 'the return address refuses HYPE');
    const transfer = returnTransfer(restWei, BigInt(gasLimit), head.baseFeeWei);
    if (!transfer) return this.finish(checked, execution.releasedAt === null ? null : DUST);
    return this.sender.send(
      checked,
      [
        {
          id: `${execution.id}/return/${tried.length + 1}`,
          purpose: 'return',
          to: execution.returnAddress,
          valueWei: transfer.valueWei,
          data: '0x',
          gasLimit,
          ...transfer.fees,
        },
      ],
      { change: { absorbedWei: execution.absorbedWei + surplusWei } },
    );
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
    const held = ledgerEntry(endId(execution), 'held', {
      jobId: execution.id,
      amountWei: heldReason === null ? 0n : freeBalance(execution.totals),
      transactionHash: null,
      blockNumber: head.number,
      recordedAt: now,
    });
    const surplusWei = unexplainedSurplus(execution, await this.refunds.ofJob(execution.id));
    const entries = held.amountWei === 0n ? [] : [held];
    const totals = addEntries(execution.totals, entries);
    const reason = heldReason === null ? execution.heldReason : addReason(execution.heldReason, heldReason);
    const ended: Execution = { ...execution, totals, heldReason: reason };
    const after = await this.writer.write(
      context,
      {
        totals,
        heldReason: ended.heldReason,
        absorbedWei: execution.absorbedWei + (surplusWei > 0n ? surplusWei : 0n),
        phase: endPhase(execution),
        endedAt: now,
      },
      async (session) => {
        await this.ledger.append(entries, session);
        await this.settleReleased(ended, heldReason, session);
        if (execution.releasedAt === null) await this.announce(ended, session);
      },
    );
    this.check.forget(execution.id);
    this.patience.forget(execution.id);
    const line = { jobId: execution.id, ending: execution.ending?.kind, orders: execution.ordersPlaced };
    if (ended.heldReason)
      this.logger.error({ ...line, heldReason: ended.heldReason }, 'execution ended; money is held');
    else this.logger.info(line, 'execution ended');
    return after;
  }

  /** Tells what became of returns that an operator had released. */
  private async settleReleased(ended: Execution, heldReason: string | null, session: ClientSession): Promise<void> {
    const { id: jobId, returnAddress } = ended;
    const released = await this.refunds.ofJob(jobId, ['released']);
    if (released.length === 0) return;
    const returns = await this.transactions.ofPurposes(jobId, ['return']);
    const done = returns.findLast((one) => one.inclusion?.succeeded && isSince(one, ended));
    for (const refund of released) {
      const amount = { returnId: refund.id, amountWei: refund.amountWei.toString() };
      if (heldReason === null && done?.inclusion && returnAddress) {
        const data = { ...amount, to: returnAddress, transactionHash: done.inclusion.hash, withTheRest: true };
        await this.refunds.enter(refund, 'returned', session);
        await this.outbox.record(depositReturned, { jobId, data }, session);
      } else {
        const reason = heldReason ?? DUST;
        await this.refunds.enter(refund, 'held', session, { holdReason: reason });
        await this.outbox.record(depositHeld, { jobId, data: { ...amount, reason } }, session);
      }
    }
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

/** Whether a transaction belongs to what an operator released last, or to an execution of which nothing was. */
function isSince({ createdAt }: TransactionRecord, { releasedAt }: Execution): boolean {
  return releasedAt === null || createdAt >= releasedAt;
}

/** Names an end in the ledger: an execution of which held money was released ends again. */
function endId({ id, releasedAt }: Execution): string {
  return releasedAt === null ? id : `${id}/released/${releasedAt.getTime()}`;
}

function endPhase({ ending, depositWei }: Execution): ExecutionPhase {
  if (depositWei === 0n) return 'never_ran';
  return ending?.kind === 'completed' ? 'completed' : 'failed';
}
