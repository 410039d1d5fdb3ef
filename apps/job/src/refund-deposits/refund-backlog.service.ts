import { Connection, inTransaction } from '@maker/persistence';
import { Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';
import { RefundBacklogRepository } from './refund-backlog.repository.ts';
import { RefundDepositsService } from './refund-deposits.service.ts';

/** Pause while the backlog is empty, ms. A new backlog's first part is refunded before; the rest follows within this time. */
const PAUSE_MS = 5000;

/** Continues the refunds of jobs with very many deposits, in bounded parts, one job after the other. */
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

  /** @returns whether a job was in the backlog */
  private async refundNext(): Promise<boolean> {
    const jobId = await this.backlog.next();
    if (jobId === undefined) return false;
    await inTransaction(this.connection, async (session) =>
      this.refunds.refundPart(await this.jobs.get(jobId, session), session),
    );
    return true;
  }
}
