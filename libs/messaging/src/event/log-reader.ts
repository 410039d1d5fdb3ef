import { setTimeout as wait } from 'node:timers/promises';
import {
  type Event,
  type EventPage,
  type EventSource,
  FIRST_POSITION,
  type LogPosition,
  listEvents,
} from '@maker/contracts';
import { isDatabaseOutage } from '@maker/persistence';
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
/** Pauses before the attempts that the job's later rows wait for, ms. */
const FIRST_PAUSES_MS = [0, 200, 400, 800];
/** Pauses before the attempts of a parked row, ms; the last repeats. */
const PARKED_PAUSES_MS = [3000, 10_000, 30_000, 60_000];
/** Pause while the database is away, which then can neither apply a row nor park it, ms. */
const RETRY_MS = 500;
/** From then on it counts as a failed attempt: an effect that takes too long looks like an outage, ms. */
const LONGEST_OUTAGE_MS = 120_000;
/** Soon after a connection is back, its source may still be connecting: pause and number of the requests until then. */
const HURRY_MS = 250;
const MOST_HURRIED = 8;
/** Time limit of a first request, ms; each one that ends by it doubles the next. A request to a server that died gets no answer. */
const FIRST_LIMIT_MS = 1000;
const LONGEST_LIMIT_MS = 4000;

/** How long the cursor may lag behind rows of other types, ms. */
const CURSOR_MS = 60_000;

/** What a reader works with. */
export interface ReaderParts {
  readonly consumer: EventConsumer;
  readonly inbox: Inbox;
  readonly parked: ParkedEvents;
  readonly requests: RequestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: EventMetrics;
  /** Whether this replica may apply events. A replica that takes over reloads its readers first. */
  readonly claim: () => Promise<boolean>;
}

/** A place in the log, and whether its event is applied or parked. */
interface Mark {
  position: LogPosition;
  isDone: boolean;
}

/**
 * Reads the log of one source, from the cursor to the end, and applies its events: those of one job in order, several jobs in
 * parallel. It parks a row that fails, and the later rows of its job, so that the cursor moves on. Source: docs/adr/0166.
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
  private reached = FIRST_POSITION;
  private saved = FIRST_POSITION;
  private savedAtMs = 0;
  /** Whether the cursor must be saved soon, because events were taken or the log is another one. */
  private isDirty = false;
  private at = FIRST_POSITION;
  /** Number of times that the state was loaded. */
  private loads = 0;
  private isRung = true;
  private limitMs = FIRST_LIMIT_MS;
  private pulling: Promise<void> | undefined;
  private isWanted = false;
  private hurried = MOST_HURRIED;
  /** Present without a connection to NATS: nothing is requested or attempted, because it would fail. */
  private online: PromiseWithResolvers<void> | undefined;

  private constructor(
    private readonly source: EventSource,
    private readonly parts: ReaderParts,
  ) {}

  static async open(source: EventSource, parts: ReaderParts): Promise<LogReader> {
    const reader = new LogReader(source, parts);
    await reader.reload();
    return reader;
  }

  /** Continues from the cursor in the database, with the rows that are parked there. */
  async reload(): Promise<void> {
    const { inbox, parked } = this.parts;
    const [at, jobs] = await Promise.all([inbox.cursor(this.source), parked.jobs(this.source)]);
    Object.assign(this, { at, reached: at, saved: at, marks: [], loads: this.loads + 1 });
    this.waiting.clear();
    this.blocked.clear();
    for (const [jobId, blocks] of jobs) {
      this.waiting.add(jobId);
      if (blocks) this.blocked.add(jobId);
    }
  }

  /** Whether events are being applied, or wait for another attempt. */
  get isBusy(): boolean {
    return this.queue.size + this.waiting.size > 0;
  }

  /** Reads all new rows soon. Never rejects. @param isRung whether the source rang */
  wake(isRung = false): void {
    this.isRung ||= isRung;
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

  /** Waits until {@link reconnected}. */
  disconnected(): void {
    this.online ??= Promise.withResolvers();
  }

  reconnected(): void {
    this.online?.resolve();
    this.online = undefined;
    this.limitMs = FIRST_LIMIT_MS;
    this.hurried = 0;
    this.wake(true);
  }

  /** Begins nothing new, and waits for the events that are being applied. */
  async stop(): Promise<void> {
    this.ended.abort();
    this.online?.resolve();
    await this.pulling;
    await this.queue.idle();
    await this.save();
  }

  private async pull(): Promise<void> {
    const { logger } = this.parts;
    while (this.isWanted && !this.ended.signal.aborted) {
      this.isWanted = false;
      try {
        await this.online?.promise;
        while (!(await this.pullPage()) && !this.ended.signal.aborted);
        this.hurried = MOST_HURRIED;
      } catch (error) {
        // A source that is down keeps its rows; the next round requests them again.
        logger.warn({ err: error, source: this.source }, 'events not read, retrying');
        await this.hurry();
      }
    }
  }

  private async hurry(): Promise<void> {
    if (this.hurried >= MOST_HURRIED || this.ended.signal.aborted) return;
    this.hurried += 1;
    this.isWanted = true;
    await wait(HURRY_MS);
  }

  /** @returns whether the page reaches the end of the log */
  private async pullPage(): Promise<boolean> {
    const { consumer, inbox, logger } = this.parts;
    const types = consumer.typesBySource().get(this.source);
    if (!types) return true;
    const { loads } = this;
    const page = await this.request(types);
    if (page.events.length > 0 && !(await this.parts.claim())) {
      await this.reload();
      return true;
    }
    const unknown = await inbox.unknown(page.events.map(({ event }) => event.id));
    if (loads !== this.loads) return false;
    if (!page.isKnown) {
      logger.warn({ source: this.source, number: this.at.number }, 'log restored, reading it from its start');
      this.marks = [{ position: FIRST_POSITION, isDone: true }];
      this.isDirty = true;
    }
    for (const one of page.events) if (unknown.has(one.event.id)) this.take(one);
    const last = this.marks.at(-1);
    if (last?.isDone) last.position = page.upTo;
    else this.marks.push({ position: page.upTo, isDone: true });
    const from = page.isKnown ? this.at.number : FIRST_POSITION.number;
    this.at = page.upTo;
    while (this.queue.size >= MOST_IN_HAND) await this.queue.next();
    return page.isEnd || page.upTo.number <= from;
  }

  private async request(types: string[]): Promise<EventPage> {
    const { isRung } = this;
    this.isRung = false;
    try {
      const query = { after: this.at, types, limit: PAGE, isRung };
      const page = await this.parts.requests.request(listEvents(this.source), query, this.limitMs);
      this.limitMs = FIRST_LIMIT_MS;
      return page;
    } catch (error) {
      this.isRung ||= isRung;
      const isLate = error instanceof RequestFailedError && error.code === 'SERVICE_TIMEOUT';
      if (isLate) this.limitMs = Math.min(2 * this.limitMs, LONGEST_LIMIT_MS);
      throw error;
    }
  }

  private take({ number, event }: NumberedEvent): void {
    const mark: Mark = { position: { number, id: event.id }, isDone: false };
    this.marks.push(mark);
    this.isDirty = true;
    void this.queue.run(event.jobId, async () => {
      mark.isDone = await this.end(() => this.deliver({ number, event }));
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

  private async deliver(one: NumberedEvent): Promise<void> {
    if (this.blocked.has(one.event.jobId)) return this.park(one, { attempts: 0, blocks: true });
    let failure: unknown;
    for (const pauseMs of FIRST_PAUSES_MS) {
      if (pauseMs > 0) await this.pause(pauseMs);
      try {
        await this.apply(one.event);
        return;
      } catch (error) {
        this.ended.signal.throwIfAborted();
        failure = error;
        // Strangers can cause any number of rows that wait: only the first of a job holds up the others in the queue.
        if (error instanceof EventTooEarlyError && this.waiting.has(one.event.jobId)) break;
      }
    }
    await this.park(one, { attempts: FIRST_PAUSES_MS.length, ...this.failureOf(failure, 0) });
  }

  /** Attempts an event as soon as NATS and the database are there. */
  private async apply(event: Event): Promise<void> {
    const beganAt = performance.now();
    for (;;) {
      await this.online?.promise;
      this.ended.signal.throwIfAborted();
      try {
        await watchdog.during('event delivery', () => this.parts.consumer.apply(this.source, event));
        return;
      } catch (error) {
        if (!isDatabaseOutage(error) || performance.now() - beganAt > LONGEST_OUTAGE_MS) throw error;
        await this.pause(RETRY_MS);
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.ended.signal });
  }

  private failureOf(failure: unknown, retries: number): Required<Pick<ParkedEvent, 'error' | 'blocks' | 'retryAt'>> {
    const pauseMs = PARKED_PAUSES_MS[Math.max(0, retries)] ?? (PARKED_PAUSES_MS.at(-1) as number);
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
        await this.pause(RETRY_MS);
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
    try {
      await this.apply(row.event);
    } catch (error) {
      this.ended.signal.throwIfAborted();
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
    if (!this.isDirty && performance.now() - this.savedAtMs < CURSOR_MS) return;
    this.isDirty = this.marks.length > 0;
    await this.parts.inbox.setCursor(this.source, reached);
    Object.assign(this, { saved: reached, savedAtMs: performance.now() });
  }
}
