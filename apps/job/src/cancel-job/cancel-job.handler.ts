import { cancelJob as cancelJobRequest, jobCancelRequested } from '@maker/contracts';
import { HandleRequest, Outbox } from '@maker/messaging';
import { inTransaction, MONGO_CONNECTION } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { Connection } from 'mongoose';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { cancelJob } from './cancel-job.ts';

/** Answers `job.cancel`, an operator's command. */
@Controller()
export class CancelJobHandler {
  constructor(
    @Inject(MONGO_CONNECTION) private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly changes: ApplyChangeService,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  @HandleRequest(cancelJobRequest)
  async cancel({ jobId }: { jobId: string }) {
    return inTransaction(this.connection, async (session) => {
      const change = cancelJob(await this.jobs.get(jobId, session), this.clock.now());
      if (change === 'when_settled') {
        await this.outbox.record(jobCancelRequested, { jobId, data: {} }, session);
        return {
          outcome: 'no further order is placed; it ends when its tokens are delivered and the rest is returned',
        };
      }
      await this.changes.apply(change, 'an operator cancelled it', session);
      return { outcome: 'cancelled; what came for it is returned' };
    });
  }
}
