import { executionFailed } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { failJob } from './fail-job.ts';

/** Ends a job when maker-executor can place no further order. */
@Injectable()
export class FailJobHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository, changes: ApplyChangeService, clock: Clock) {
    consumer.on('maker-executor', executionFailed, async ({ id, jobId, data }, session) => {
      const change = failJob(await jobs.get(jobId, session), data.reason, data.message, clock.now());
      if (change) await changes.apply(change, `event ${id}`, session);
    });
  }
}
