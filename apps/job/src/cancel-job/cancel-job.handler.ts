import { executionCancelCommanded, jobCancelRequested } from '@maker/contracts';
import { EventConsumer, Outbox } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { cancelJob } from './cancel-job.ts';

/** Cancels a job by a command of operators, whose signatures maker-executor has checked. */
@Injectable()
export class CancelJobHandler {
  constructor(
    consumer: EventConsumer,
    jobs: JobsRepository,
    changes: ApplyChangeService,
    outbox: Outbox,
    clock: Clock,
  ) {
    consumer.on('maker-executor', executionCancelCommanded, async ({ id, jobId, data }, session) => {
      const job = await jobs.get(jobId, session);
      const change = cancelJob(job, clock.now());
      if (change === 'when_settled')
        await outbox.record(jobCancelRequested, { jobId, data: { commandedBy: id } }, session);
      else if (change) await changes.apply(change, `cancelled by ${data.operators.join(' and ')}`, session);
    });
  }
}
