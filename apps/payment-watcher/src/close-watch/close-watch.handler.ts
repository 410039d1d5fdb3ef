import { jobStatusChanged } from '@maker/contracts';
import { EventConsumer, EventTooEarlyError } from '@maker/messaging';
import { isFinal, WATCH_AFTER_END_MS } from '@maker/rules';
import { Injectable } from '@nestjs/common';
import { WatchesRepository } from '../watch/watches.repository.ts';

/** Limits a watch to 24 h after the end of its job. Source: design § 4 'Amounts'. */
@Injectable()
export class CloseWatchHandler {
  constructor(consumer: EventConsumer, watches: WatchesRepository) {
    consumer.on('job', jobStatusChanged, async ({ jobId, occurredAt, data }, session) => {
      if (!isFinal(data.to)) return;
      const untilMs = Date.parse(occurredAt) + WATCH_AFTER_END_MS;
      if (await watches.watchUntil(jobId, untilMs, session)) return;
      const message = `${jobId} has ended, but its creation event has not arrived yet`;
      throw new EventTooEarlyError('WATCH_NOT_REGISTERED', message);
    });
  }
}
