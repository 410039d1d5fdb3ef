import { Injectable } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { DUST } from '../execution/held-reason.ts';
import type { LeasedExecution, PhaseStep } from '../execution/leased-execution.ts';
import { freeBalance } from '../ledger/ledger-entry.ts';
import { unexplainedSurplus } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { transferGasIfAccepted } from '../send/gas.ts';
import { returnTransfer } from '../send/return-transfer.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { wasReverted } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { EndExecution, isSince } from './end-execution.ts';
import { SurplusPatience } from './surplus-patience.ts';

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
    private readonly transactions: TransactionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly patience: SurplusPatience,
    private readonly ending: EndExecution,
  ) {}

  /** Called once nothing is left to refund, where ledger and chain were found equal at this head. */
  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const surplusWei = unexplainedSurplus(execution, await this.refunds.ofJob(execution.id));
    if (surplusWei <= 0n) this.patience.forget(execution.id);
    else if (this.patience.waited(execution.id, head.number) < EXPLAINED_WITHIN_BLOCKS) return leased;
    return this.returnRest(leased, surplusWei > 0n ? surplusWei : 0n);
  }

  private async returnRest(checked: LeasedExecution, surplusWei: bigint): Promise<LeasedExecution> {
    const { execution, head } = checked;
    const restWei = freeBalance(execution.totals);
    if (restWei === 0n) return this.ending.end(checked, null);
    if (execution.returnAddress === null) return this.ending.end(checked, 'no return address is known');
    const returns = await this.transactions.ofPurposes(execution.id, ['return']);
    const tried = returns.filter(({ id }) => id.startsWith(`${execution.id}/return/`));
    if (tried.filter((one) => wasReverted(one) && isSince(one, execution)).length >= MOST_ATTEMPTS)
      return this.ending.end(checked, 'the return address reverted the return');

    const gasLimit = await transferGasIfAccepted(this.chain.client, {
      from: execution.walletAddress,
      to: execution.returnAddress,
      valueWei: 1n,
    });
    if (gasLimit === undefined) return this.ending.end(checked, 'the return address refuses HYPE');
    const transfer = returnTransfer(restWei, BigInt(gasLimit), head.baseFeeWei);
    if (!transfer) return this.ending.end(checked, execution.releasedAt === null ? null : DUST);
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
}
