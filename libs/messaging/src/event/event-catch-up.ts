import { type Event, type EventSource, listEvents } from '@maker/contracts';
import { Clock, Logger, PeriodicTask } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { EventMetrics } from '../messaging.metrics.ts';
import { RequestClient } from '../request/request-client.ts';
import { EventConsumer, ForgedEventError } from './event-consumer.ts';
import { Inbox } from './inbox.ts';

const CATCH_UP_PAUSE_MS = 15_000;
const PAGE = 500;
/** How far before the cursor a round lists: a transaction commits some time after the time that it wrote. */
const OVERLAP_MS = 5_000;
/** Between two rounds that look further back, for transactions that took longer. */
const WIDE_EVERY_MS = 240_000;
/** How far these list: since the wide round before, and what was not committed then. Mongo ends a transaction after 60 s. */
const WIDE_OVERLAP_MS = WIDE_EVERY_MS + 120_000;
/** Younger events are still on their way by JetStream. */
const GRACE_MS = 3_000;

/**
 * The safe path of events: asks each source what it recorded since the last round and applies what never arrived,
 * so that losing all of JetStream delays events but loses none. Source: design § 3.
 */
@Injectable()
export class EventCatchUp {
  private readonly task: PeriodicTask;
  /** When the next wide round of a source is due, ms. */
  private readonly nextWideAtMs = new Map<EventSource, number>();

  constructor(
    private readonly consumer: EventConsumer,
    private readonly inbox: Inbox,
    private readonly requests: RequestClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly metrics: EventMetrics,
  ) {
    this.task = new PeriodicTask('event catch-up', CATCH_UP_PAUSE_MS, logger, () => this.catchUp());
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async catchUp(): Promise<void> {
    for (const [source, types] of this.consumer.typesBySource()) {
      const now = this.clock.now();
      const isWide = now >= (this.nextWideAtMs.get(source) ?? 0);
      try {
        const allApplied = await this.catchUpWith(source, types, isWide ? WIDE_OVERLAP_MS : OVERLAP_MS);
        // The cursor may be past an event that failed here: the next round is wide again.
        if (isWide && allApplied) this.nextWideAtMs.set(source, now + WIDE_EVERY_MS);
      } catch (error) {
        // A source that is down keeps its events; the next round asks again.
        this.logger.warn({ err: error, source }, 'event catch-up failed');
      }
    }
  }

  /** @returns whether all that was listed has its effect */
  private async catchUpWith(source: EventSource, types: string[], overlapMs: number): Promise<boolean> {
    const cursor = await this.inbox.cursor(source);
    const settledBefore = this.clock.now() - GRACE_MS;
    let since = new Date(Math.max(0, cursor.getTime() - overlapMs)).toISOString();
    let afterId: string | undefined;
    let allApplied = true;
    for (;;) {
      const query = { since, types, limit: PAGE, ...(afterId === undefined ? {} : { afterId }) };
      const { events } = await this.requests.request(listEvents(source), query);
      const settled = events.filter((event) => Date.parse(event.occurredAt) < settledBefore);
      allApplied = (await this.applyMissing(source, settled)) && allApplied;
      const last = settled.at(-1);
      // An event that fails holds the cursor, so that every later round tries it again.
      if (last && allApplied) await this.inbox.advanceCursor(source, new Date(last.occurredAt));
      // A page may be short because its events are large: the end is where nothing follows.
      if (!last) return allApplied;
      since = last.occurredAt;
      afterId = last.id;
    }
  }

  private async applyMissing(source: EventSource, events: readonly Event[]): Promise<boolean> {
    const unknown = await this.inbox.unknown(events.map((event) => event.id));
    let allApplied = true;
    for (const event of events.filter(({ id }) => unknown.has(id))) {
      try {
        await this.consumer.recover(source, event);
        this.metrics.recoveredOne(event.type);
        this.logger.warn({ type: event.type, eventId: event.id, jobId: event.jobId }, 'event found by the catch-up');
      } catch (error) {
        if (error instanceof ForgedEventError) {
          this.logger.error({ err: error, source }, 'forged event refused');
          continue;
        }
        // Logged and counted by the consumer; the events behind it must not wait for it.
        allApplied = false;
      }
    }
    return allApplied;
  }
}
