import { refundHeld, refundPaid } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock, LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { ChainAccess } from '../chain/chain-access.ts';
import { LedgerCheck } from '../check-ledger/ledger-check.ts';
import type { Refunding } from '../execution/execution.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { ABSENT, addReason, DUST, NOBODY_KNOWN } from '../execution/held-reason.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, freeBalance, heldBalance, ledgerEntry } from '../ledger/ledger-entry.ts';
import { isCovered, type Refund } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { transferGasIfAccepted } from '../send/gas.ts';
import { returnTransfer } from '../send/return-transfer.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { type TransactionRecord, wasReverted } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';

/** Reverted transfers after which the money is held for an operator. */
const MOST_ATTEMPTS = 3;

/**
 * Gives back money that pays for no order: each refund by a transfer of its own, once, less its gas; or held with a
 * reason. One at a time, each step written before the next. Source: design § 4 'Amounts' and 'Return address'.
 */
@Injectable()
export class SendRefunds {
  constructor(
    private readonly chain: ChainAccess,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly check: LedgerCheck,
    private readonly refunds: RefundsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends one refund after the other, before anything else is done with the wallet's money.
   * @param next what follows once nothing is left to refund, where ledger and chain were found equal at this head
   */
  async before(
    leased: LeasedExecution,
    next: (checked: LeasedExecution) => Promise<LeasedExecution>,
  ): Promise<LeasedExecution> {
    if (leased.open.length > 0) return leased;
    const checked = await this.check.now(leased);
    // The endpoint lags, a surplus was booked or the wallet is stopped: the next tick decides on what is true by then.
    if (!checked || checked.execution.revision !== leased.execution.revision) return checked ?? leased;
    return (await this.refund(checked)) ?? next(checked);
  }

  /** @returns undefined where nothing is left to refund */
  private async refund(leased: LeasedExecution): Promise<LeasedExecution | undefined> {
    const { execution, head } = leased;
    const all = await this.refunds.ofJob(execution.id);
    const due = all.filter(({ state }) => state === 'due');
    if (execution.refunding) {
      const refund = due.find(({ id }) => id === execution.refunding?.id);
      if (!refund) throw new Error(`The return ${execution.refunding.id} is being sent and is not due`);
      return this.follow(leased, refund, execution.refunding);
    }
    // What the chain shows at this head cannot hold a deposit of a later block.
    const refund = due.find(({ blockNumber }) => blockNumber <= head.number);
    if (!refund) return due.length === 0 ? undefined : leased;
    if (!isCovered(refund, execution, all, freeBalance(execution.totals))) return this.wentWithTheRest(leased, refund);
    if (refund.to === null) return this.hold(leased, refund, refund.holdReason ?? NOBODY_KNOWN);
    const refunding: Refunding = { id: refund.id, to: refund.to, amountWei: refund.amountWei };
    return this.follow(await this.writer.write(leased, { refunding }), refund, refunding);
  }

  private async follow(leased: LeasedExecution, refund: Refund, refunding: Refunding): Promise<LeasedExecution> {
    const prefix = `${leased.execution.id}/refund/${refund.id}/`;
    const returns = await this.transactions.ofPurposes(leased.execution.id, ['return']);
    const tried = returns.filter(({ id }) => id.startsWith(prefix));
    const done = tried.find(({ inclusion }) => inclusion?.succeeded);
    if (done) return this.complete(leased, refund, done);
    if (tried.filter(wasReverted).length >= MOST_ATTEMPTS) {
      return this.hold(leased, refund, 'the recipient reverted the return');
    }
    const gasLimit = await transferGasIfAccepted(this.chain.client, {
      from: leased.execution.walletAddress,
      to: refunding.to,
      valueWei: 1n,
    });
    if (gasLimit === undefined) return this.hold(leased, refund, 'the recipient refuses HYPE');
    const transfer = returnTransfer(refunding.amountWei, BigInt(gasLimit), leased.head.baseFeeWei);
    if (!transfer) return this.hold(leased, refund, DUST);
    return this.sender.send(leased, [
      {
        id: `${prefix}${tried.length + 1}`,
        purpose: 'return',
        to: refunding.to,
        valueWei: transfer.valueWei,
        data: '0x',
        gasLimit,
        ...transfer.fees,
      },
    ]);
  }

  private async complete(
    leased: LeasedExecution,
    refund: Refund,
    { to, inclusion }: TransactionRecord,
  ): Promise<LeasedExecution> {
    if (!inclusion) throw new Error(`The return ${refund.id} has no block`);
    const { id: jobId } = leased.execution;
    const data = {
      returnId: refund.id,
      amountWei: refund.amountWei.toString(),
      to,
      withTheRest: false,
      returnedWei: inclusion.movedWei.toString(),
      transactionHash: inclusion.hash,
    };
    const after = await this.writer.write(leased, { refunding: null }, async (session) => {
      await this.refunds.enter(refund, 'returned', session);
      await this.outbox.record(refundPaid, { jobId, data }, session);
    });
    this.logger.info({ jobId, returnId: refund.id, returnedWei: data.returnedWei }, 'a deposit was returned');
    return after;
  }

  private async hold(leased: LeasedExecution, refund: Refund, reason: string): Promise<LeasedExecution> {
    const { id: jobId, totals, heldReason } = leased.execution;
    const { amountWei } = refund;
    const entry = ledgerEntry(`${jobId}/refund/${refund.id}`, 'held', {
      jobId,
      amountWei,
      transactionHash: null,
      blockNumber: leased.head.number,
      recordedAt: new Date(this.clock.now()),
    });
    const change = {
      refunding: null,
      totals: addEntries(totals, [entry]),
      heldReason: addReason(heldReason, reason),
    };
    const after = await this.writer.write(leased, change, async (session) => {
      await this.ledger.append([entry], session);
      await this.refunds.enter(refund, 'held', session, { holdReason: reason });
      const data = { returnId: refund.id, amountWei: amountWei.toString(), reason };
      await this.outbox.record(refundHeld, { jobId, data }, session);
    });
    this.logger.warn({ jobId, returnId: refund.id, amountWei: amountWei.toString(), reason }, 'a deposit is held');
    return after;
  }

  /** The ledger has booked and spent this money already: it left, or is held, together with the rest of the job. */
  private async wentWithTheRest(leased: LeasedExecution, refund: Refund): Promise<LeasedExecution> {
    const { id: jobId, heldReason } = leased.execution;
    const returns = await this.transactions.ofPurposes(jobId, ['return']);
    const rest = returns.findLast(({ id, inclusion }) => id.startsWith(`${jobId}/return/`) && inclusion?.succeeded);
    const amount = { returnId: refund.id, amountWei: refund.amountWei.toString() };
    return this.writer.write(leased, {}, async (session) => {
      await this.refunds.enter(refund, 'with_the_rest', session);
      if (rest?.inclusion) {
        const data = { ...amount, to: rest.to, transactionHash: rest.inclusion.hash, withTheRest: true };
        await this.outbox.record(refundPaid, { jobId, data }, session);
        return;
      }
      const absent = heldBalance(leased.execution.totals) < refund.amountWei;
      const data = absent ? { ...amount, reason: ABSENT, absent } : { ...amount, reason: heldReason ?? ABSENT };
      await this.outbox.record(refundHeld, { jobId, data }, session);
    });
  }
}
