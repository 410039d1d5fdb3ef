import { type Event, type EventSource, listEvents } from '@maker/contracts';
import { type Clock, PeriodicTask } from '@maker/service-kit';
import type { Logger } from 'pino';
import type { EventMetrics } from '../messaging.metrics.ts';
import type { RequestClient } from '../request/request-client.ts';
import type { EventConsumer } from './event-consumer.ts';
import type { Inbox } from './inbox.ts';

const SWEEP_PAUSE_MS = 15_000;
const PAGE = 500;
/** A transaction may commit later than the time it wrote; Mongo ends one after 60 s. */
const LOOK_BACK_MS = 120_000;
/** Younger events are still on their way by JetStream. */
const GRACE_MS = 3_000;

/**
 * The safe path of events: asks each source what it recorded since the last sweep and applies what never arrived,
 * so that losing all of JetStream delays events but loses none. Source: design § 3.
 */
export class EventSweep {
  private readonly task: PeriodicTask;

  constructor(
    private readonly consumer: EventConsumer,
    private readonly inbox: Inbox,
    private readonly requests: RequestClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly metrics: EventMetrics,
  ) {
    this.task = new PeriodicTask('event sweep', SWEEP_PAUSE_MS, logger, () => this.sweep());
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async sweep(): Promise<void> {
    for (const [source, types] of this.consumer.typesBySource()) {
      try {
        await this.sweepSource(source, types);
      } catch (error) {
        // A source that is down keeps its events; the next sweep asks again.
        this.logger.warn({ err: error, source }, 'events of a source could not be swept');
      }
    }
  }

  private async sweepSource(source: EventSource, types: string[]): Promise<void> {
    const cursor = await this.inbox.cursor(source);
    const settledBefore = this.clock.now() - GRACE_MS;
    let since = new Date(Math.max(0, cursor.getTime() - LOOK_BACK_MS)).toISOString();
    let afterId: string | undefined;
    let allApplied = true;
    for (;;) {
      const query = { since, types, limit: PAGE, ...(afterId === undefined ? {} : { afterId }) };
      const { events } = await this.requests.request(listEvents(source), query);
      const settled = events.filter((event) => Date.parse(event.occurredAt) < settledBefore);
      allApplied = (await this.applyMissing(settled)) && allApplied;
      const last = settled.at(-1);
      // An event that fails holds the cursor, so that every later sweep tries it again.
      if (last && allApplied) await this.inbox.advanceCursor(source, new Date(last.occurredAt));
      if (!last || events.length < PAGE) return;
      since = last.occurredAt;
      afterId = last.id;
    }
  }

  private async applyMissing(events: readonly Event[]): Promise<boolean> {
    const unknown = await this.inbox.unknown(events.map((event) => event.id));
    let allApplied = true;
    for (const event of events.filter(({ id }) => unknown.has(id))) {
      try {
        await this.consumer.process(event);
        this.metrics.recoveredOne(event.type);
        this.logger.warn({ type: event.type, eventId: event.id, jobId: event.jobId }, 'the sweep found an event');
      } catch {
        // Logged and counted by the consumer; the events behind it must not wait for it.
        allApplied = false;
      }
    }
    return allApplied;
  }
}
