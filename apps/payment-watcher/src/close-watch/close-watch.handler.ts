import { jobStatusChanged } from '@maker/contracts';
import { EventConsumer, EventTooEarlyError, type ParsedEvent } from '@maker/messaging';
import { isFinal, WATCH_AFTER_END_MS } from '@maker/rules';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { WatchesRepository } from '../watch/watches.repository.ts';

/** Limits a watch to 24 h after the end of its job. Source: design § 4 'Amounts'. */
@Injectable()
export class CloseWatchHandler {
  constructor(
    consumer: EventConsumer,
    private readonly watches: WatchesRepository,
  ) {
    consumer.on('job', jobStatusChanged, (event, session) => this.handle(event, session));
  }

  private async handle(
    { jobId, occurredAt, data }: ParsedEvent<z.output<typeof jobStatusChanged.data>>,
    session: ClientSession,
  ): Promise<void> {
    if (!isFinal(data.to)) return;
    const untilMs = Date.parse(occurredAt) + WATCH_AFTER_END_MS;
    if (await this.watches.watchUntil(jobId, untilMs, session)) return;
    const message = `${jobId} has ended, but its creation has not been heard of yet`;
    throw new EventTooEarlyError('WATCH_NOT_REGISTERED', message);
  }
}
