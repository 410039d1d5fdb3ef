import { type Event, type EventSource, listEvents } from '@maker/contracts';
import { type CameRound, Logger, PeriodicTask, SteadyClock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { EventMetrics } from '../messaging.metrics.ts';
import { RequestClient } from '../request/request-client.ts';
import { EventConsumer, ForgedEventError } from './event-consumer.ts';
import { Inbox } from './inbox.ts';

type ListQuery = z.input<ReturnType<typeof listEvents>['request']>;

const CATCH_UP_PAUSE_MS = 15_000;
const PAGE = 500;
/** Time between two searches for events that were committed after a round had passed their time, ms. */
const LATE_EVERY_MS = 240_000;
/** Range of such a search before the cursor, ms: back to the previous one, and the time of open transactions (60 s at most in Mongo). */
const LATE_WITHIN_MS = LATE_EVERY_MS + 120_000;

/**
 * The safe path of events: requests the events that each source recorded since the last round, and applies those that never
 * arrived. The loss of all JetStream data thus delays events but loses none. Source: design § 3.
 */
@Injectable()
export class EventCatchUp {
  private readonly task: PeriodicTask;
  /** When the next search for late events of a source is due, ms. */
  private readonly nextLateAtMs = new Map<EventSource, number>();

  constructor(
    private readonly consumer: EventConsumer,
    private readonly inbox: Inbox,
    private readonly requests: RequestClient,
    private readonly clock: SteadyClock,
    private readonly logger: Logger,
    private readonly metrics: EventMetrics,
  ) {
    this.task = new PeriodicTask('event catch-up', CATCH_UP_PAUSE_MS, logger, (cameRound) => this.catchUp(cameRound));
  }

  start(): void {
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  private async catchUp(cameRound: CameRound): Promise<void> {
    for (const [source, types] of this.consumer.typesBySource()) {
      try {
        const cursor = await this.inbox.cursor(source);
        const lateApplied = await this.catchUpLate(source, types, cursor, cameRound);
        await this.catchUpWith(source, types, cursor, lateApplied, cameRound);
      } catch (error) {
        // A source that is down keeps its events; the next round requests them again.
        this.logger.warn({ err: error, source }, 'event catch-up failed');
      }
    }
  }

  /** Applies events that were committed after the cursor had passed their time. @returns whether all of them are applied */
  private async catchUpLate(
    source: EventSource,
    types: string[],
    cursor: Date,
    cameRound: CameRound,
  ): Promise<boolean> {
    const now = this.clock.now();
    if (now < (this.nextLateAtMs.get(source) ?? 0)) return true;
    const since = new Date(Math.max(0, cursor.getTime() - LATE_WITHIN_MS)).toISOString();
    let allApplied = true;
    for await (const events of this.pages(source, { since, types, lateOnly: true }))
      allApplied = (await this.applyMissing(source, events, cameRound)) && allApplied;
    if (allApplied) this.nextLateAtMs.set(source, now + LATE_EVERY_MS);
    return allApplied;
  }

  /** Applies events recorded since the cursor. A failed event stops the cursor, so that every later round tries the event again. */
  private async catchUpWith(
    source: EventSource,
    types: string[],
    cursor: Date,
    lateApplied: boolean,
    cameRound: CameRound,
  ): Promise<void> {
    let allApplied = lateApplied;
    for await (const events of this.pages(source, { since: cursor.toISOString(), types })) {
      allApplied = (await this.applyMissing(source, events, cameRound)) && allApplied;
      const last = events.at(-1);
      if (last && allApplied) await this.inbox.advanceCursor(source, new Date(last.occurredAt));
    }
  }

  private async *pages(source: EventSource, query: Omit<ListQuery, 'limit' | 'afterId'>): AsyncGenerator<Event[]> {
    let from: Pick<ListQuery, 'since' | 'afterId'> = { since: query.since };
    for (;;) {
      const { events } = await this.requests.request(listEvents(source), { ...query, ...from, limit: PAGE });
      // A page may be short because its events are large: only an empty page is the end.
      const last = events.at(-1);
      if (!last) return;
      yield events;
      from = { since: last.occurredAt, afterId: last.id };
    }
  }

  private async applyMissing(source: EventSource, events: readonly Event[], cameRound: CameRound): Promise<boolean> {
    const unknown = await this.inbox.unknown(events.map((event) => event.id));
    let allApplied = true;
    for (const event of events.filter(({ id }) => unknown.has(id))) {
      cameRound();
      try {
        await this.consumer.recover(source, event);
        this.metrics.recoveredOne(event.type);
        this.logger.warn({ type: event.type, eventId: event.id, jobId: event.jobId }, 'event found by the catch-up');
      } catch (error) {
        if (error instanceof ForgedEventError) {
          this.logger.error({ err: error, source }, 'forged event refused');
          continue;
        }
        // The consumer logs and counts the failure; later events must not wait for it.
        allApplied = false;
      }
    }
    return allApplied;
  }
}
