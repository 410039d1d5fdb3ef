import { isInTime } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type Deposit, senderOf } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { ExecutorProofsService } from '../proof/executor-proofs.service.ts';
import { boundedTime } from './bounded-time.ts';

/** A deposit as it may be counted. */
export interface ProvenDeposit {
  readonly deposit: Deposit;
  /** Of a proof by the balance: all that was credited before, wei. It proves nothing beside another sum. */
  readonly besideWei?: bigint;
}

/**
 * Has maker-executor prove what payment-watcher tells of a job that waits for its payment: a plain transfer by its signature, other money
 * by the balance. Deposits of other jobs activate nothing, and the executor proves each refund. Source: docs/adr/0118.
 */
@Injectable()
export class ProveDepositService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
    private readonly proofs: ExecutorProofsService,
    private readonly logger: Logger,
  ) {}

  /** @returns undefined where it is refuted @throws where nothing is known yet */
  async prove(jobId: string, told: Deposit): Promise<ProvenDeposit | undefined> {
    const job = await this.jobs.get(jobId);
    if (job.status !== 'pending_payment') return { deposit: told };
    const proven = await this.proveTransfer(job, told);
    if (!proven) return this.refuted(jobId, told);
    const besideWei = await this.creditedBeside(job, told);
    const isTransfer = senderOf(proven) !== undefined;
    if (isTransfer && (besideWei === 0n || isPart(job, proven))) return { deposit: proven };
    const balance = await this.proveBalance(job, proven, besideWei);
    if (!balance.isShown) return this.refuted(jobId, told);
    if (isTransfer) return { deposit: proven };
    const blockTimestampMs = boundedTime(proven.blockTimestampMs, balance.chainTimeMs, job);
    return { deposit: { ...proven, blockTimestampMs }, besideWei };
  }

  private refuted(jobId: string, told: Deposit): undefined {
    this.logger.error({ jobId, ...told, amountWei: told.amountWei.toString() }, 'deposit refuted by maker-executor');
  }

  /** A transfer in the block that holds it, or the deposit without a sender where none can be proven. @returns undefined where it is refuted */
  private async proveTransfer(job: Job, told: Deposit): Promise<Deposit | undefined> {
    const { transactionHash } = told;
    const from = senderOf(told);
    if (from === undefined || transactionHash === undefined) return withoutSender(told);
    const { verdict, block } = await this.proofs.transfer({
      depositId: told.depositId,
      wallet: job.paymentAddress,
      from,
      transactionHash,
      amountWei: told.amountWei.toString(),
      blockNumber: told.blockNumber,
      blockAtMs: told.blockTimestampMs,
      deadlineMs: job.paymentDeadlineMs,
    });
    if (verdict === 'unprovable') return withoutSender(told);
    return verdict === 'proven' && block
      ? { ...told, blockNumber: block.number, blockTimestampMs: block.atMs }
      : undefined;
  }

  private proveBalance({ paymentAddress }: Job, { amountWei, blockNumber }: Deposit, besideWei: bigint) {
    const leastWei = (besideWei + amountWei).toString();
    return this.proofs.balance({ wallet: paymentAddress, leastWei, sinceBlock: blockNumber });
  }

  private async creditedBeside({ assessment }: Job, { depositId }: Deposit): Promise<bigint> {
    const credited = assessment.inTimeWei + assessment.lateWei;
    const before = await this.deposits.find(depositId);
    return before && !before.dropped ? credited - before.amountWei : credited;
  }
}

/** Whether a deposit in time still leaves the job unpaid: strangers may send any number of these. */
function isPart({ assessment, paymentAmountWei, paymentDeadlineMs }: Job, deposit: Deposit): boolean {
  const isTimely = isInTime(deposit.blockTimestampMs, paymentDeadlineMs);
  return isTimely && assessment.inTimeWei + deposit.amountWei < paymentAmountWei;
}

function withoutSender({ from: _, ...deposit }: Deposit): Deposit {
  return deposit;
}
