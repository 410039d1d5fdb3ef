import { executionCompleted } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { completeJob } from './complete-job.ts';

/** Ends a job when maker-executor has placed its orders, delivered and settled. */
@Injectable()
export class CompleteJobHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository, changes: ApplyChangeService, clock: Clock) {
    consumer.on('maker-executor', executionCompleted, async (event, session) => {
      const change = completeJob(await jobs.get(event.jobId, session), clock.now());
      if (change) await changes.apply(change, `event ${event.id}`, session);
    });
  }
}
