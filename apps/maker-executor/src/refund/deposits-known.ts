import type { TransferProofs } from '@maker/chain';
import { type CreditedDeposit, findKnownDeposits } from '@maker/contracts';
import type { CreditedDeposits, Execution, RefundsRepository } from '@maker/execution-records';
import { type RequestClient, RequestFailedError } from '@maker/messaging';
import type { Logger } from '@maker/service-kit';
import type { Address } from 'viem';

/**
 * Checks that all services know all deposits of a wallet. payment-watcher has reported each deposit that transactions show, the job
 * service knows each of them that the chain does not refute, and this service knows all its refunds. Other money in the wallet then
 * stays unexplained, and this service reports it once. While a service is down, the money waits in the wallet.
 */
export class DepositsKnown {
  constructor(
    private readonly requests: RequestClient,
    private readonly credited: CreditedDeposits,
    private readonly refunds: RefundsRepository,
    private readonly proofs: Pick<TransferProofs, 'prove'>,
    private readonly logger: Logger,
  ) {}

  /** @param atBlock block whose state showed the money */
  async isComplete({ id: jobId, walletAddress: wallet }: Execution, atBlock: number): Promise<boolean> {
    try {
      for await (const { completeToBlock, deposits } of this.credited.pages(jobId)) {
        if (completeToBlock < atBlock) return false;
        const depositIds = deposits.map(({ depositId }) => depositId);
        const known = await this.requests.request(findKnownDeposits, { jobId, depositIds });
        const ids = new Set(known.depositIds);
        for (const deposit of deposits)
          if (!ids.has(deposit.depositId) && !(await this.isRefuted(wallet, deposit))) return false;
        if (!(await this.refunds.areKnown(known.returnIds))) return false;
      }
      return true;
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      this.logger.debug({ err: error, jobId }, 'deposits not explained, a service does not answer');
      return false;
    }
  }

  /** A lying endpoint of payment-watcher can report a transfer that was never mined: it explains no money. */
  private async isRefuted(wallet: Address, { from, transactionHash, amountWei }: CreditedDeposit): Promise<boolean> {
    if (!from || !transactionHash) return false;
    const transfers = [{ transactionHash, amountWei: BigInt(amountWei) }];
    return (await this.proofs.prove({ sender: from, wallet, transfers })) === 'refuted';
  }
}
