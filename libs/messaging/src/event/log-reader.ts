import { setTimeout as wait } from 'node:timers/promises';
import {
  type Event,
  type EventPage,
  type EventSource,
  FIRST_POSITION,
  type LogPosition,
  listEvents,
} from '@maker/contracts';
import { type Clock, type Logger, watchdog } from '@maker/service-kit';
import type { EventMetrics } from '../messaging.metrics.ts';
import type { RequestClient } from '../request/request-client.ts';
import { RequestFailedError } from '../request/request-failure.ts';
import type { EventConsumer } from './event-consumer.ts';
import { EventTooEarlyError } from './event-too-early.ts';
import type { Inbox } from './inbox.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { ParkedEvent, ParkedEvents } from './parked-events.ts';

type NumberedEvent = EventPage['events'][number];

const PAGE = 100;
/** Most events that wait or run. */
const MOST_IN_HAND = 500;
/** Most of these of one job: a slow job leaves room for the others. */
const MOST_OF_ONE_JOB = 50;
/** Pauses before the attempts that the job's later rows wait for, ms. */
const FIRST_PAUSES_MS = [0, 200, 1000];
/** Pauses before the attempts of a parked row, ms; the last repeats. */
const PARKED_PAUSES_MS = [3000, 10_000, 30_000, 60_000];
/** Pause while the database cannot park a row, ms. */
const RETRY_MS = 1000;
/** Time limit of a first request, ms; each one that ends by it doubles the next. A request to a server that died gets no answer. */
const FIRST_LIMIT_MS = 1000;
const LONGEST_LIMIT_MS = 4000;

/** What a reader works with. */
export interface ReaderParts {
  readonly consumer: EventConsumer;
  readonly inbox: Inbox;
  readonly parked: ParkedEvents;
  readonly requests: RequestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: EventMetrics;
}

/** A place in the log, and whether its event is applied or parked. */
interface Mark {
  readonly position: LogPosition;
  isDone: boolean;
}

/**
 * Reads the log of one source, from the cursor to the end, and applies its events: those of one job in order, several jobs in
 * parallel. It parks a row that fails, and the later rows of its job, so that the cursor moves on. It lives as long as the
 * lease of the subscription. Source: docs/adr/0166.
 */
export class LogReader {
  private readonly ended = new AbortController();
  private readonly queue = new KeyedQueue();
  /** Jobs whose rows are parked without an attempt. */
  private readonly blocked = new Set<string>();
  /** Jobs with a parked row. */
  private readonly waiting = new Set<string>();
  private readonly retried = new Set<string>();
  /** Places after the cursor, in order. */
  private marks: Mark[] = [];
  /** The last place up to which all are done. */
  private reached: LogPosition;
  private saved: LogPosition;
  private limitMs = FIRST_LIMIT_MS;
  private pulling: Promise<void> | undefined;
  private isWanted = false;

  private constructor(
    private readonly source: EventSource,
    private readonly parts: ReaderParts,
    private at: LogPosition,
  ) {
    this.reached = at;
    this.saved = at;
  }

  /** Starts at the cursor, with the rows that are parked. */
  static async open(source: EventSource, parts: ReaderParts): Promise<LogReader> {
    const [at, jobs] = await Promise.all([parts.inbox.cursor(source), parts.parked.jobs(source)]);
    const reader = new LogReader(source, parts, at);
    for (const [jobId, blocks] of jobs) {
      reader.waiting.add(jobId);
      if (blocks) reader.blocked.add(jobId);
    }
    return reader;
  }

  /** Reads all new rows soon. Never rejects. */
  wake(): void {
    this.isWanted = true;
    this.pulling ??= this.pull().finally(() => {
      this.pulling = undefined;
    });
  }

  /** Saves the cursor and repeats the parked rows that are due. */
  async tend(): Promise<void> {
    await this.save();
    await this.retryDue();
  }

  /** The connection to NATS is new: an open request may have been lost with the old one. */
  reconnected(): void {
    this.limitMs = FIRST_LIMIT_MS;
    this.wake();
  }

  /** Begins nothing new, and waits for the events that are being applied. */
  async stop(): Promise<void> {
    this.ended.abort();
    await this.pulling;
    await this.queue.idle();
    await this.save();
  }

  private async pull(): Promise<void> {
    const { logger } = this.parts;
    while (this.isWanted && !this.ended.signal.aborted) {
      this.isWanted = false;
      try {
        while (!(await this.pullPage()) && !this.ended.signal.aborted);
      } catch (error) {
        // A source that is down keeps its rows; the next round requests them again.
        logger.warn({ err: error, source: this.source }, 'events not read, retrying');
      }
    }
  }

  /** @returns whether the page reaches the end of the log */
  private async pullPage(): Promise<boolean> {
    const { consumer, inbox, logger } = this.parts;
    const types = consumer.typesBySource().get(this.source);
    if (!types) return true;
    const page = await this.request(types);
    const unknown = await inbox.unknown(page.events.map(({ event }) => event.id));
    if (!page.isKnown) {
      logger.warn({ source: this.source, number: this.at.number }, 'log restored, reading it from its start');
      this.marks = [{ position: FIRST_POSITION, isDone: true }];
    }
    for (const one of page.events) this.take(one, unknown.has(one.event.id));
    this.marks.push({ position: page.upTo, isDone: true });
    const from = page.isKnown ? this.at.number : FIRST_POSITION.number;
    this.at = page.upTo;
    while (this.queue.size >= MOST_IN_HAND) await this.queue.next();
    return page.isEnd || page.upTo.number <= from;
  }

  private async request(types: string[]): Promise<EventPage> {
    const query = { after: this.at, types, limit: PAGE };
    try {
      const page = await this.parts.requests.request(listEvents(this.source), query, this.limitMs);
      this.limitMs = FIRST_LIMIT_MS;
      return page;
    } catch (error) {
      const isLate = error instanceof RequestFailedError && error.code === 'SERVICE_TIMEOUT';
      if (isLate) this.limitMs = Math.min(2 * this.limitMs, LONGEST_LIMIT_MS);
      throw error;
    }
  }

  private take({ number, event }: NumberedEvent, isUnknown: boolean): void {
    const mark: Mark = { position: { number, id: event.id }, isDone: !isUnknown };
    this.marks.push(mark);
    if (!isUnknown) return;
    const { jobId } = event;
    const isTooMany = this.queue.waiting(jobId) >= MOST_OF_ONE_JOB;
    if (isTooMany) this.blocked.add(jobId);
    void this.queue.run(jobId, async () => {
      mark.isDone = await this.end(() => this.deliver({ number, event }, isTooMany));
    });
  }

  /** @returns whether the work ended before the reader */
  private async end(work: () => Promise<void>): Promise<boolean> {
    try {
      this.ended.signal.throwIfAborted();
      await work();
      return true;
    } catch (error) {
      if (!this.ended.signal.aborted)
        this.parts.logger.error({ err: error, source: this.source }, 'event not delivered');
      return false;
    }
  }

  private async deliver(one: NumberedEvent, isDue: boolean): Promise<void> {
    const { clock } = this.parts;
    if (this.blocked.has(one.event.jobId)) {
      await this.park(one, { attempts: 0, blocks: true, ...(isDue && { retryAt: new Date(clock.now()) }) });
      return;
    }
    let failure: unknown;
    for (const pauseMs of FIRST_PAUSES_MS) {
      if (pauseMs > 0) await wait(pauseMs, undefined, { signal: this.ended.signal });
      try {
        await this.apply(one.event);
        return;
      } catch (error) {
        failure = error;
      }
    }
    await this.park(one, { attempts: FIRST_PAUSES_MS.length, ...this.failureOf(failure, 0) });
  }

  private apply(event: Event): Promise<void> {
    return watchdog.during('event delivery', () => this.parts.consumer.apply(this.source, event));
  }

  private failureOf(failure: unknown, retries: number): Required<Pick<ParkedEvent, 'error' | 'blocks' | 'retryAt'>> {
    const pauseMs = PARKED_PAUSES_MS[retries] ?? (PARKED_PAUSES_MS.at(-1) as number);
    return {
      error: String(failure),
      blocks: !(failure instanceof EventTooEarlyError),
      retryAt: new Date(this.parts.clock.now() + pauseMs),
    };
  }

  /** Keeps a row in the database. It cannot give up: the cursor would pass the row. */
  private async park(
    { number, event }: NumberedEvent,
    row: Pick<ParkedEvent, 'attempts' | 'blocks'> & Partial<ParkedEvent>,
  ): Promise<void> {
    const { id, jobId } = event;
    const { parked, clock, logger } = this.parts;
    const parkedAt = new Date(clock.now());
    for (;;) {
      try {
        await parked.park({ id, source: this.source, number, jobId, event, parkedAt, ...row });
        break;
      } catch (error) {
        logger.error({ err: error, eventId: id, jobId }, 'event not parked, retrying');
        await wait(RETRY_MS, undefined, { signal: this.ended.signal });
      }
    }
    this.waiting.add(jobId);
    if (row.blocks) this.blocked.add(jobId);
    logger.warn(
      { eventId: id, type: event.type, jobId, reason: row.error ?? 'an earlier event waits' },
      'event parked',
    );
  }

  private async retryDue(): Promise<void> {
    if (this.waiting.size === 0) return;
    const { parked, clock } = this.parts;
    for (const jobId of await parked.dueJobs(this.source, new Date(clock.now()))) {
      if (this.retried.has(jobId)) continue;
      this.retried.add(jobId);
      void this.queue.run(jobId, async () => {
        await this.end(() => this.retry(jobId));
        this.retried.delete(jobId);
      });
    }
  }

  /** Applies the parked rows of a job in order, up to the first that blocks. */
  private async retry(jobId: string): Promise<void> {
    const { parked, clock } = this.parts;
    let isOpen = false;
    for (const row of await parked.ofJob(this.source, jobId)) {
      const isDue = row.retryAt === undefined || row.retryAt.getTime() <= clock.now();
      const isApplied = isDue && (await this.repeat(row));
      if (isApplied === 'blocked' || (!isDue && row.blocks)) return;
      isOpen ||= isApplied !== 'applied';
    }
    this.blocked.delete(jobId);
    if (!isOpen) this.waiting.delete(jobId);
  }

  private async repeat(row: ParkedEvent): Promise<'applied' | 'aside' | 'blocked'> {
    const { parked, logger, metrics } = this.parts;
    this.ended.signal.throwIfAborted();
    try {
      await this.apply(row.event);
    } catch (error) {
      const failure = this.failureOf(error, row.attempts - FIRST_PAUSES_MS.length + 1);
      const { id: eventId, jobId, event } = row;
      if (await parked.fail(row, failure)) {
        metrics.gaveUp(event.type);
        logger.error(
          { err: error, eventId, type: event.type, jobId },
          'event failed eight times, it needs an operator',
        );
      }
      return failure.blocks ? 'blocked' : 'aside';
    }
    await parked.remove(row.id);
    return 'applied';
  }

  private async save(): Promise<void> {
    const open = this.marks.findIndex(({ isDone }) => !isDone);
    const done = this.marks.splice(0, open === -1 ? this.marks.length : open);
    this.reached = done.at(-1)?.position ?? this.reached;
    const { reached } = this;
    if (reached.number === this.saved.number && reached.id === this.saved.id) return;
    await this.parts.inbox.setCursor(this.source, reached);
    this.saved = reached;
  }
}
