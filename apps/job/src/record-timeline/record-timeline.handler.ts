import { executionPaused, executionResumed, executionStarted, transferSettled } from '@maker/contracts';
import { EventConsumer, type EventHandler } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { forgetDelivered } from './forget-delivered.ts';

type Facts = Readonly<Record<string, string | number | boolean>>;

/** Adds maker-executor's events to a job's timeline: start, pauses, fee, delivery and returns. */
@Injectable()
export class RecordTimelineHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository, audit: AuditRepository) {
    const add: EventHandler<Facts> = ({ id, type: action, jobId, occurredAt, data: details }, session) =>
      audit.append({ jobId, action, cause: `event ${id}`, details, atMs: Date.parse(occurredAt) }, session);
    consumer.on('maker-executor', executionStarted, add);
    consumer.on('maker-executor', executionPaused, add);
    consumer.on('maker-executor', executionResumed, add);
    consumer.on('maker-executor', transferSettled, async (event, session) => {
      await add(event, session);
      const job = await jobs.get(event.jobId, session);
      const foundTokens = forgetDelivered(job, event.data, Date.parse(event.occurredAt));
      if (foundTokens) await jobs.update({ before: job, after: { ...job, foundTokens } }, session);
    });
  }
}
