import { Connection, inTransaction } from '@maker/persistence';
import { Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';
import { RefundBacklogRepository } from './refund-backlog.repository.ts';
import { RefundDepositsService } from './refund-deposits.service.ts';

/** A backlog begins with a part that is refunded at once; the rest is found within this time. */
const PAUSE_MS = 5000;

/** Goes on with the refunds of jobs that have very many deposits, a bounded part at a time and the jobs in turn. */
@Injectable()
export class RefundBacklogService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly backlog: RefundBacklogRepository,
    private readonly refunds: RefundDepositsService,
    logger: Logger,
  ) {
    this.task = new PeriodicTask('refund backlog', PAUSE_MS, logger, () => this.refundNext());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** @returns whether there was something to do */
  private async refundNext(): Promise<boolean> {
    const jobId = await this.backlog.next();
    if (jobId === undefined) return false;
    await inTransaction(this.connection, async (session) =>
      this.refunds.refundPart(await this.jobs.get(jobId, session), session),
    );
    return true;
  }
}
