import { executionCompleted, executionFailed } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { completeJob, failJob } from './end-job.ts';

/** Ends a job after maker-executor has settled it: all is traded and delivered, or no further order is possible. */
@Injectable()
export class EndJobHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository, changes: ApplyChangeService, clock: Clock) {
    consumer.on('maker-executor', executionCompleted, async ({ id, jobId }, session) => {
      const change = completeJob(await jobs.get(jobId, session), clock.now());
      if (change) await changes.apply(change, `event ${id}`, session);
    });
    consumer.on('maker-executor', executionFailed, async ({ id, jobId, data }, session) => {
      const change = failJob(await jobs.get(jobId, session), data.reason, data.message, clock.now());
      if (change) await changes.apply(change, `event ${id}`, session);
    });
  }
}
