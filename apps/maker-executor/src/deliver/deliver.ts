import { erc20Abi } from '@maker/chain';
import { LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { encodeFunctionData } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { addReason } from '../execution/held-reason.ts';
import type { LeasedExecution, PhaseStep } from '../execution/leased-execution.ts';
import { transferFees } from '../send/fees.ts';
import { transferGasIfAccepted } from '../send/gas.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { type TransactionRecord, wasReverted } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';

/** Reverted deliveries after which the tokens are held for an operator. */
const MOST_ATTEMPTS = 3;

/** An endpoint that shows fewer tokens than were bought is believed after this many blocks: some tokens take a fee. */
const LAG_BLOCKS = 10;

/** Sends all that was bought to the return address, in one transfer. Source: design §§ 2.2 and 4. */
@Injectable()
export class Deliver implements PhaseStep {
  /** Height at which the delivery of a job was first tried. */
  private readonly since = new Map<string, number>();

  constructor(
    private readonly chain: ChainAccess,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    if (leased.open.length > 0) return leased;
    const { execution, head } = leased;
    const { returnAddress, totals } = execution;
    const tokens = await this.chain.tokens(execution.tokenAddress, execution.walletAddress);
    if (tokens < totals.boughtWei - totals.deliveredWei && this.waited(leased) < LAG_BLOCKS) return leased;
    if (tokens === 0n)
      return this.goOn(
        leased,
        totals.boughtWei > totals.deliveredWei ? 'the wallet shows none of the bought tokens' : null,
      );
    if (returnAddress === null) return this.goOn(leased, 'no return address is known');
    const tried = await this.transactions.ofPurposes(execution.id, ['delivery']);
    const since = (one: TransactionRecord) => execution.releasedAt === null || one.createdAt >= execution.releasedAt;
    if (tried.filter((one) => wasReverted(one) && since(one)).length >= MOST_ATTEMPTS)
      return this.goOn(leased, 'the token reverted its delivery');

    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [returnAddress, tokens] });
    const gasLimit = await transferGasIfAccepted(this.chain.client, {
      from: execution.walletAddress,
      to: execution.tokenAddress,
      valueWei: 0n,
      data,
    });
    if (gasLimit === undefined) return this.goOn(leased, 'the token refuses to be delivered');
    return this.sender.send(leased, [
      {
        id: `${execution.id}/delivery/${tried.length + 1}`,
        purpose: 'delivery',
        to: execution.tokenAddress,
        valueWei: 0n,
        data,
        gasLimit,
        ...transferFees(head.baseFeeWei),
      },
    ]);
  }

  private waited({ execution, head }: LeasedExecution): number {
    const since = this.since.get(execution.id) ?? head.number;
    this.since.set(execution.id, since);
    return head.number - since;
  }

  private goOn(leased: LeasedExecution, heldReason: string | null): Promise<LeasedExecution> {
    const { id: jobId } = leased.execution;
    this.since.delete(jobId);
    if (heldReason) this.logger.error({ jobId, heldReason }, 'the bought tokens are held for an operator');
    const before = leased.execution.heldReason;
    return this.writer.write(leased, {
      phase: 'return',
      heldReason: heldReason === null ? before : addReason(before, heldReason),
    });
  }
}
