import { refundHeld, refundPaid } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { LedgerCheck } from '../check-ledger/ledger-check.ts';
import { addAttempt, beginAttempts, isExhausted, isTooEarly } from '../execution/attempts.ts';
import type { Refunding } from '../execution/execution.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { ABSENT, addReason, DUST, NOBODY_KNOWN, SENT_BACK } from '../execution/held-reason.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, freeBalance, heldBalance, ledgerEntry } from '../ledger/ledger-entry.ts';
import { goesRound, isCovered, type Refund, refundTransfers, surplusForDue } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { transferGasIfAccepted } from '../send/gas.ts';
import { mostTransferred, returnTransfer } from '../send/return-transfer.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import type { TransactionRecord } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';

/**
 * Gives back money that pays for no order: each refund by a transfer of its own, once, less its gas; or held with a
 * reason. One transfer at a time, each step written before the next. Source: design § 4 'Amounts' and 'Return address'.
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
    private readonly logger: Logger,
  ) {}

  /**
   * Sends one refund after the other, before anything else is done with the wallet's money.
   * @param next what follows once nothing is left to refund, where ledger and chain were found equal at this head
   * @param isLate no further refund is begun before it: strangers could send deposits faster than they go back
   */
  async before(
    leased: LeasedExecution,
    next: (checked: LeasedExecution) => Promise<LeasedExecution>,
    isLate = false,
  ): Promise<LeasedExecution> {
    const { open, execution, head } = leased;
    const attempts = execution.refunding?.attempts;
    if (open.length > 0 || (attempts && isTooEarly(attempts, head.timestampMs, false))) return leased;
    const checked = await this.check.now(leased);
    // The endpoint lags, or the wallet is stopped. What came since the last look is booked by now and holds up nothing.
    if (checked?.execution.driftWei !== 0n) return checked ?? leased;
    if (isLate && !execution.refunding) return next(checked);
    const { after, isSettled } = await this.refund(checked);
    return isSettled ? next(after) : after;
  }

  /**
   * Settles at once all that sends nothing, which is what dust comes to, and begins the first refund that is sent.
   * @returns whether nothing is left to refund
   */
  private async refund(leased: LeasedExecution): Promise<{ after: LeasedExecution; isSettled: boolean }> {
    const { execution, head } = leased;
    const all = await this.refunds.ofJob(execution.id);
    const due = all.filter(({ state }) => state === 'due');
    if (execution.refunding) {
      const refund = due.find(({ id }) => id === execution.refunding?.id);
      if (!refund) throw new Error(`The return ${execution.refunding.id} is being sent and is not due`);
      return { after: await this.follow(leased, refund, execution.refunding), isSettled: false };
    }
    // What the chain shows at this head cannot hold a deposit of a later block.
    const shown = due.filter(({ blockNumber }) => blockNumber <= head.number);
    let after = leased;
    let surplusWei = surplusForDue(execution, all);
    for (const refund of shown) {
      if (!isCovered(refund, surplusWei, freeBalance(after.execution.totals))) {
        after = await this.wentWithTheRest(after, refund);
        continue;
      }
      const route = routeOf(refund, all, head.baseFeeWei);
      if ('to' in route) return { after: await this.begin(after, refund, route.to), isSettled: false };
      after = await this.hold(after, refund, route.holdReason);
      surplusWei -= refund.amountWei;
    }
    return { after, isSettled: shown.length === due.length };
  }

  private async begin(leased: LeasedExecution, refund: Refund, to: Address): Promise<LeasedExecution> {
    const attempts = beginAttempts(leased.head.timestampMs);
    const refunding: Refunding = { id: refund.id, to, amountWei: refund.amountWei, attempts };
    return this.follow(await this.writer.write(leased, { refunding }), refund, refunding);
  }

  private async follow(leased: LeasedExecution, refund: Refund, refunding: Refunding): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const prefix = refundTransfers(execution.id, refund.id);
    const returns = await this.transactions.ofPurposes(execution.id, ['return']);
    const tried = returns.filter(({ id }) => id.startsWith(prefix));
    const done = tried.find(({ inclusion }) => inclusion?.succeeded);
    if (done) return this.complete(leased, refund, done);
    const attempts = refunding.attempts ?? beginAttempts(head.timestampMs);
    // What failed was paid for out of this very money: the rest of the wallet is somebody else's.
    const leftWei = tried.reduce((left, { inclusion }) => left - (inclusion?.gasWei ?? 0n), refund.amountWei);
    const left = { ...refunding, amountWei: leftWei };
    if (isExhausted(attempts))
      return this.hold(leased, refund, attempts.refusal ?? 'the recipient reverted the return', leftWei);
    const mostWei = mostTransferred(leftWei, head.baseFeeWei);
    if (mostWei === undefined) return this.hold(leased, refund, DUST, leftWei);
    const gas = await transferGasIfAccepted(this.chain.client, {
      from: execution.walletAddress,
      to: refunding.to,
      valueWei: mostWei,
    });
    if ('refusal' in gas) {
      const refused = addAttempt(attempts, head.timestampMs, `the recipient takes no HYPE: it ${gas.refusal}`);
      return this.writer.write(leased, { refunding: { ...left, attempts: refused } });
    }
    const transfer = returnTransfer(leftWei, BigInt(gas.gasLimit), head.baseFeeWei);
    if (!transfer) return this.hold(leased, refund, DUST, leftWei);
    return this.sender.send(
      leased,
      [
        {
          id: `${prefix}${tried.length + 1}`,
          purpose: 'return',
          to: refunding.to,
          valueWei: transfer.valueWei,
          data: '0x',
          gasLimit: gas.gasLimit,
          ...transfer.fees,
        },
      ],
      { change: { refunding: { ...left, attempts: addAttempt(attempts, head.timestampMs) } } },
    );
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

  /** @param leftWei what is left of it after the gas of attempts that failed */
  private async hold(
    leased: LeasedExecution,
    refund: Refund,
    reason: string,
    leftWei = refund.amountWei,
  ): Promise<LeasedExecution> {
    const { id: jobId, totals, heldReason } = leased.execution;
    const { amountWei } = refund;
    const entry = ledgerEntry(`${jobId}/refund/${refund.id}`, 'held', {
      jobId,
      amountWei: leftWei,
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

/** Where a refund goes, or why it goes nowhere. @param all refunds of the job @param baseFeeWei of the next block, per gas */
function routeOf(
  refund: Refund,
  all: readonly Refund[],
  baseFeeWei: bigint,
): { readonly to: Address } | { readonly holdReason: string } {
  if (refund.to === null) return { holdReason: refund.holdReason ?? NOBODY_KNOWN };
  if (goesRound(refund, all)) return { holdReason: SENT_BACK };
  if (mostTransferred(refund.amountWei, baseFeeWei) === undefined) return { holdReason: DUST };
  return { to: refund.to };
}
