import { executionPaused, executionResumed, executionStarted, transferSettled } from '@maker/contracts';
import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { AuditRepository } from '../audit/audit.repository.ts';

type Facts = Readonly<Record<string, string | number | boolean>>;

/** Adds to a job's timeline what maker-executor tells of its course: schedule, pauses, fee, delivery and returns. */
@Injectable()
export class RecordTimelineHandler {
  constructor(
    consumer: EventConsumer,
    private readonly audit: AuditRepository,
  ) {
    const add = (event: ParsedEvent<Facts>, session: ClientSession) => this.add(event, session);
    consumer.on('maker-executor', executionStarted, add);
    consumer.on('maker-executor', executionPaused, add);
    consumer.on('maker-executor', executionResumed, add);
    consumer.on('maker-executor', transferSettled, add);
  }

  private async add({ id, type, jobId, occurredAt, data }: ParsedEvent<Facts>, session: ClientSession): Promise<void> {
    const entry = { jobId, action: type, cause: `event ${id}`, details: data, atMs: Date.parse(occurredAt) };
    await this.audit.append(entry, session);
  }
}
