import { isInTime, leastStartingWei } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type Deposit, isNewer, senderOf } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import type { Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { ExecutorProofsService } from '../proof/executor-proofs.service.ts';
import { boundedTime } from './bounded-time.ts';

/** A deposit that may be counted. */
export interface ProvenDeposit {
  readonly deposit: Deposit;
  /** Present after a proof by the balance: sum of the other credited money, wei. The proof is valid only with this sum. */
  readonly otherCreditedWei?: bigint;
}

/**
 * Lets maker-executor prove reported deposits: each plain transfer by its signature on several hosts and, while the job waits for its
 * payment, other money by the balance. Source: docs/adr/0118, 0170.
 */
@Injectable()
export class ProveDepositService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly deposits: DepositsRepository,
    private readonly proofs: ExecutorProofsService,
    private readonly logger: Logger,
  ) {}

  /** @returns undefined if the deposit is refuted @throws EventTooEarlyError if there is no verdict yet @throws RequestFailedError */
  async prove(jobId: string, reported: Deposit): Promise<ProvenDeposit | undefined> {
    const [job, before] = await Promise.all([this.jobs.get(jobId), this.deposits.find(reported.depositId)]);
    // Nothing follows from an old report, which may be of a block that left the chain, where nobody can prove it.
    if (before && !isNewer(reported, before)) return { deposit: reported };
    const proven = await this.proveTransfer(job, reported);
    if (!proven) return this.refuted(jobId, reported);
    // Other money activates no such job, and the executor proves each refund.
    if (job.status !== 'pending_payment') return { deposit: proven };
    const otherCreditedWei = otherCredited(job, before);
    const isTransfer = senderOf(proven) !== undefined;
    if (isTransfer && (otherCreditedWei === 0n || isPart(job, proven))) return { deposit: proven };
    const balance = await this.proveBalance(job, proven, otherCreditedWei);
    if (!balance.isShown) return this.refuted(jobId, reported);
    if (isTransfer) return { deposit: proven };
    const blockTimestampMs = boundedTime(proven.blockTimestampMs, balance.chainTimeMs, job);
    return { deposit: { ...proven, blockTimestampMs }, otherCreditedWei };
  }

  private refuted(jobId: string, reported: Deposit): undefined {
    const details = { jobId, ...reported, amountWei: reported.amountWei.toString() };
    this.logger.error(details, 'deposit refuted by maker-executor');
  }

  /** Returns a transfer with its proven block, or the deposit without a sender if none can be proven; undefined if it is refuted. */
  private async proveTransfer(job: Job, reported: Deposit): Promise<Deposit | undefined> {
    const { transactionHash } = reported;
    const from = senderOf(reported);
    if (from === undefined || transactionHash === undefined) return withoutSender(reported);
    const { verdict, block } = await this.proofs.transfer({
      depositId: reported.depositId,
      wallet: job.paymentAddress,
      from,
      transactionHash,
      amountWei: reported.amountWei.toString(),
      blockNumber: reported.blockNumber,
      blockAtMs: reported.blockTimestampMs,
      deadlineMs: job.paymentDeadlineMs,
    });
    if (verdict === 'unprovable') return withoutSender(reported);
    return verdict === 'proven' && block
      ? { ...reported, blockNumber: block.number, blockTimestampMs: block.atMs }
      : undefined;
  }

  private proveBalance({ paymentAddress }: Job, { amountWei, blockNumber }: Deposit, otherCreditedWei: bigint) {
    const leastWei = (otherCreditedWei + amountWei).toString();
    return this.proofs.balance({ wallet: paymentAddress, leastWei, sinceBlock: blockNumber });
  }
}

/** Sum of the job's other credited money, wei. @param before the deposit as recorded so far */
function otherCredited({ assessment }: Job, before: Deposit | undefined): bigint {
  const creditedWei = assessment.inTimeWei + assessment.lateWei;
  return before && !before.dropped ? creditedWei - before.amountWei : creditedWei;
}

/** Whether the job stays unpaid with this deposit in time: strangers can send any number of such parts. */
function isPart({ assessment, paymentAmountWei, paymentDeadlineMs }: Job, deposit: Deposit): boolean {
  const isTimely = isInTime(deposit.blockTimestampMs, paymentDeadlineMs);
  return isTimely && assessment.inTimeWei + deposit.amountWei < leastStartingWei(paymentAmountWei);
}

function withoutSender({ from: _, ...deposit }: Deposit): Deposit {
  return deposit;
}
