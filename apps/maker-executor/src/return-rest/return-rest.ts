import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { type Attempts, addAttempt, beginAttempts, isExhausted, isTooEarly } from '../execution/attempts.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { DUST } from '../execution/held-reason.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { ownBalance, unexplainedSurplus } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { transferGasIfAccepted } from '../send/gas.ts';
import { mostTransferred, returnTransfer } from '../send/return-transfer.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { EndExecution } from './end-execution.ts';
import { SurplusPatience } from './surplus-patience.ts';

/** Blocks in which payment-watcher is heard of what it saw; what nobody explained by then goes with the rest. */
const EXPLAINED_WITHIN_BLOCKS = 20;

/** Time after which the rest goes back before further refunds, which follow it; so that nobody's dust holds up a job's end. */
const REFUNDS_FIRST_MS = 60_000;

/** Time after which the rest is held, whatever it waits for. */
const GIVEN_UP_AFTER_MS = 600_000;

/** Sends what is due back to others first; see `SendRefunds.before`. */
export type RefundsFirst = (
  leased: LeasedExecution,
  next: (checked: LeasedExecution) => Promise<LeasedExecution>,
  isLate: boolean,
) => Promise<LeasedExecution>;

/** Returns all HYPE that is left in one transfer, checks the sums, and ends the execution. Source: design § 4. */
@Injectable()
export class ReturnRest {
  constructor(
    private readonly chain: ChainAccess,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly patience: SurplusPatience,
    private readonly ending: EndExecution,
  ) {}

  /** Refunds deposits that pay for no order, each to its own recipient; then returns the rest, with what no deposit explains. */
  async advance(leased: LeasedExecution, refundsFirst: RefundsFirst): Promise<LeasedExecution> {
    const nowMs = leased.head.timestampMs;
    const { attempts } = leased.execution;
    if (!attempts) {
      const begun = await this.writer.write(leased, { attempts: beginAttempts(nowMs) });
      return this.advance(begun, refundsFirst);
    }
    if (leased.open.length > 0) return leased;
    const waitedMs = nowMs - attempts.sinceMs;
    if (waitedMs >= GIVEN_UP_AFTER_MS)
      return this.ending.end(leased, attempts.refusal ?? 'the rest could not be returned in time');
    if (isTooEarly(attempts, nowMs, false)) return leased;
    const isLate = waitedMs >= REFUNDS_FIRST_MS;
    return refundsFirst(leased, (checked) => this.afterRefunds(checked, attempts, isLate), isLate);
  }

  private async afterRefunds(checked: LeasedExecution, attempts: Attempts, isLate: boolean): Promise<LeasedExecution> {
    const { execution, head } = checked;
    const refunds = await this.refunds.ofJob(execution.id);
    const unexplainedWei = unexplainedSurplus(execution, refunds);
    const surplusWei = unexplainedWei > 0n ? unexplainedWei : 0n;
    // Counted once for the whole phase: whoever sends a little again and again holds up nothing.
    const isExplained = surplusWei === 0n || this.patience.waited(execution.id, head.number) >= EXPLAINED_WITHIN_BLOCKS;
    if (!isExplained && !isLate) return checked;
    const restWei = ownBalance(execution, refunds);
    if (restWei <= 0n) return this.ending.end(checked, null);
    if (execution.returnAddress === null) return this.ending.end(checked, 'no return address is known');
    if (isExhausted(attempts))
      return this.ending.end(checked, attempts.refusal ?? 'the return address reverted the return');
    return this.send(checked, { attempts, to: execution.returnAddress, restWei, surplusWei });
  }

  private async send(
    leased: LeasedExecution,
    { attempts, to, restWei, surplusWei }: { attempts: Attempts; to: Address; restWei: bigint; surplusWei: bigint },
  ): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const tooSmall = () => this.ending.end(leased, execution.releasedAt === null ? null : DUST);
    const mostWei = mostTransferred(restWei, head.baseFeeWei);
    if (mostWei === undefined) return tooSmall();
    const transfer = { from: execution.walletAddress, to, valueWei: mostWei };
    const gas = await transferGasIfAccepted(this.chain.client, transfer);
    if ('refusal' in gas) {
      const refusal = `the return address takes no HYPE: it ${gas.refusal}`;
      return this.writer.write(leased, { attempts: addAttempt(attempts, head.timestampMs, refusal) });
    }
    const emptied = returnTransfer(restWei, BigInt(gas.gasLimit), head.baseFeeWei);
    if (!emptied) return tooSmall();
    const returns = await this.transactions.ofPurposes(execution.id, ['return']);
    const tried = returns.filter(({ id }) => id.startsWith(`${execution.id}/return/`));
    return this.sender.send(
      leased,
      [
        {
          id: `${execution.id}/return/${tried.length + 1}`,
          purpose: 'return',
          to,
          valueWei: emptied.valueWei,
          data: '0x',
          gasLimit: gas.gasLimit,
          ...emptied.fees,
        },
      ],
      {
        change: {
          absorbedWei: execution.absorbedWei + surplusWei,
          attempts: addAttempt(attempts, head.timestampMs),
        },
      },
    );
  }
}
