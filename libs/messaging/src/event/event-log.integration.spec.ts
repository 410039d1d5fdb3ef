import { randomUUID } from 'node:crypto';
import { type Event, executionPaused, jobStatusChanged, type LogPosition } from '@maker/contracts';
import { openDatabases, type TestDatabases } from '@maker/local-stack';
import { Connection, inTransaction } from '@maker/persistence';
import { type Clock, type Logger, MetricsRegistry } from '@maker/service-kit';
import fc from 'fast-check';
import mongoose, { mongo } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventMetrics } from '../messaging.metrics.ts';
import type { RequestClient } from '../request/request-client.ts';
import { EventConsumer } from './event-consumer.ts';
import { EventLog } from './event-log.ts';
import { EventTooEarlyError } from './event-too-early.ts';
import { Inbox } from './inbox.ts';
import { LogReader, type ReaderParts } from './log-reader.ts';
import { Outbox } from './outbox.ts';
import { ParkedEvents } from './parked-events.ts';

const SETTLED = { timeout: 20_000, interval: 5 };
const JOBS = ['a', 'b', 'c'].map((letter) => `job_${letter.repeat(32)}`);
const silent = { warn: () => undefined, error: () => undefined, info: () => undefined } as unknown as Logger;
const clock = { now: () => Date.now() } as Clock;
const noRefusal = () => undefined;

let databases: TestDatabases;
let source: Connection;
let target: Connection;
let outbox: Outbox;
let logs: readonly [EventLog, EventLog];
let requests: number;
let failing: Set<string>;
let early: Set<string>;
let attempted: string[];

beforeAll(async () => {
  databases = openDatabases();
  source = await mongoose.createConnection(databases.urlOf('source'), { monitorCommands: true }).asPromise();
  target = await mongoose.createConnection(databases.urlOf('target')).asPromise();
});

beforeEach(async () => {
  await Promise.all([source.dropDatabase(), target.dropDatabase()]);
  outbox = new Outbox(source, clock);
  logs = [new EventLog(source, clock), new EventLog(source, clock)];
  [requests, failing, early, attempted] = [0, new Set(), new Set(), []];
});

afterAll(async () => {
  await Promise.all([source?.close(), target?.close()]);
  await databases?.stop();
});

async function record(jobId: string, count = 1): Promise<void> {
  for (let done = 0; done < count; done++)
    await inTransaction(source, (session) =>
      outbox.record(jobStatusChanged, { jobId, data: { from: 'pending_payment', to: 'active' } }, session),
    );
}

/** A consumer's parts on the target database, as one replica has them. */
function replica(): ReaderParts {
  const inbox = new Inbox(target);
  const parked = new ParkedEvents(target);
  const registry = new MetricsRegistry();
  const metrics = new EventMetrics(registry, {
    outboxAgeMs: async () => 0,
    setAside: async () => 0,
    parked: () => parked.count(),
  });
  const consumer = new EventConsumer(target, inbox, silent, metrics);
  consumer.on('job', jobStatusChanged, async (event, session) => {
    attempted.push(event.id);
    if (early.has(event.id)) throw new EventTooEarlyError('TOO_EARLY', 'not yet');
    if (failing.has(event.id)) throw new Error('its effect fails');
    const row = { _id: event.id as never, jobId: event.jobId, at: new mongo.Timestamp({ t: 0, i: 0 }) };
    await target.collection('applied').insertOne(row, { session });
  });
  const request = (_contract: unknown, query: Parameters<EventLog['read']>[0]) => {
    requests += 1;
    return logs[0].read(query);
  };
  return {
    consumer,
    inbox,
    parked,
    requests: { request } as unknown as RequestClient,
    clock,
    logger: silent,
    metrics,
    claim: async () => true,
  };
}

const endOf = async (): Promise<LogPosition> => {
  const row = await source.collection('event_logs').findOne({});
  return { number: row?.number ?? 0, id: row?.rowId ?? '' };
};

/** Reads to the end of the log, unless it dies at once. */
async function read({ dies = false } = {}): Promise<void> {
  const parts = replica();
  const reader = await LogReader.open('job', parts);
  reader.wake();
  if (!dies)
    await vi.waitFor(async () => {
      await reader.tend();
      expect(await parts.inbox.cursor('job')).toEqual(await endOf());
    }, SETTLED);
  await reader.stop();
}

const rowsOf = (connection: Connection, collection: string, sort: Record<string, 1>) =>
  connection.collection(collection).find().sort(sort).toArray();

const appliedIds = async (jobId: string) =>
  (await rowsOf(target, 'applied', { at: 1 })).filter((row) => row.jobId === jobId).map(({ _id }) => String(_id));

/** Rows of the job in the order of the transactions that wrote them. */
const recordedIds = async (jobId: string) =>
  (await rowsOf(source, 'outbox', { sequence: 1 })).filter((row) => row.jobId === jobId).map(({ _id }) => String(_id));

type Copy = ReadonlyMap<string, readonly mongo.Document[]>;

async function copyOf(connection: Connection): Promise<Copy> {
  const collections = await connection.listCollections();
  const copied = collections.map(
    async ({ name }) => [name, await connection.collection(name).find().toArray()] as const,
  );
  return new Map(await Promise.all(copied));
}

async function restore(connection: Connection, copy: Copy): Promise<void> {
  for (const { name } of await connection.listCollections()) {
    await connection.collection(name).deleteMany({});
    const rows = copy.get(name) ?? [];
    if (rows.length > 0) await connection.collection(name).insertMany([...rows]);
  }
}

const STEPS: Record<string, (copies: Map<Connection, Copy>) => Promise<unknown>> = {
  'a transaction commits': () => record(JOBS[0] as string),
  'two of one job commit': () => record(JOBS[1] as string, 2),
  'three jobs commit at once': () => Promise.all(JOBS.map((jobId) => record(jobId, 2))),
  'a relay numbers': () => logs[0].number(100, noRefusal),
  'two relays number at once': () => Promise.all(logs.map((log) => log.number(3, noRefusal))),
  'a relay dies in its transaction': () => logs[1].number(100, () => died()).catch(() => undefined),
  'a consumer reads': () => read(),
  'two consumers read at once': () => Promise.all([read(), read()]),
  'a consumer dies while it reads': () => read({ dies: true }),
  'both databases are copied': async (copies) => {
    for (const one of [source, target]) copies.set(one, await copyOf(one));
  },
  'the source is restored': (copies) => restore(source, copies.get(source) ?? new Map()),
  'the consumer is restored': (copies) => restore(target, copies.get(target) ?? new Map()),
};

function died(): never {
  throw new Error('the process died');
}

describe('the log', () => {
  it('gives each event once and in order', { timeout: 240_000 }, async () => {
    const steps = fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 4, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (names) => {
        await Promise.all([source.dropDatabase(), target.dropDatabase()]);
        logs = [new EventLog(source, clock), new EventLog(source, clock)];
        const copies = new Map<Connection, Copy>();
        for (const name of names) await STEPS[name]?.(copies);
        await record(JOBS[0] as string);
        while ((await logs[0].number(100, noRefusal)).numbered.length > 0);
        await read();
        for (const jobId of JOBS) {
          const recorded = await recordedIds(jobId);
          const applied = await appliedIds(jobId);
          // Events of a source that was restored later remain applied.
          expect(applied.filter((id) => recorded.includes(id))).toEqual(recorded);
        }
        const numbers = (await rowsOf(source, 'outbox', { number: 1 })).map(({ number }) => number);
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      }),
      { numRuns: Number(process.env.LOG_RUNS ?? 10), endOnFailure: true },
    );
  });

  it('is read again from its start after a restore', async () => {
    await record(JOBS[0] as string, 3);
    await logs[0].number(100, noRefusal);
    const copy = await copyOf(source);
    await record(JOBS[0] as string, 2);
    await logs[0].number(100, noRefusal);
    await read();
    await restore(source, copy);
    // More rows than were lost: the numbers alone would hide the restore.
    await record(JOBS[0] as string, 4);
    await logs[0].number(100, noRefusal);
    await read();
    const applied = await appliedIds(JOBS[0] as string);
    expect(applied).toHaveLength(3 + 2 + 4);
    expect(applied).toEqual(expect.arrayContaining(await recordedIds(JOBS[0] as string)));
  });

  it('answers in bounded pages', async () => {
    const event = { type: 'job.status_changed', version: 1, jobId: JOBS[0], occurredAt: new Date() };
    const large = { ...event, data: { note: 'x'.repeat(300_000) } };
    await source
      .collection('outbox')
      .insertMany(Array.from({ length: 5 }, (_, at) => ({ _id: `${at}` as never, ...large })));
    await logs[0].number(100, noRefusal);
    let after: LogPosition = { number: 0, id: '' };
    const ids: string[] = [];
    for (let isEnd = false; !isEnd; ) {
      const page = await logs[0].read({ after, types: [event.type], limit: 100, isRung: false });
      expect(page.events.length).toBeLessThan(3);
      ids.push(...page.events.map(({ event: { id } }) => id));
      ({ upTo: after, isEnd } = page);
    }
    expect(ids).toEqual(['0', '1', '2', '3', '4']);
  });

  it('sets aside what no message can carry', async () => {
    await record(JOBS[0] as string, 2);
    const [first, second] = await recordedIds(JOBS[0] as string);
    await logs[0].number(100, ({ id }) => (id === first ? 'too large' : undefined));
    await read();
    expect(await appliedIds(JOBS[0] as string)).toEqual([second]);
    expect([await logs[0].countSetAside(), await logs[0].age()]).toEqual([1, 0]);
    await source.collection('outbox').updateOne({ _id: first as never }, { $unset: { setAside: 1 } });
    await logs[0].number(100, noRefusal);
    await read();
    expect(await appliedIds(JOBS[0] as string)).toEqual([second, first]);
  });

  it('costs one read by id without news', async () => {
    await record(JOBS[0] as string);
    await logs[0].number(100, noRefusal);
    const after = await endOf();
    const commands: string[] = [];
    const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) =>
      void commands.push(`${commandName} ${command[commandName]}`);
    source.getClient().on('commandStarted', note);
    expect(await logs[0].read({ after, types: ['job.created'], limit: 100, isRung: true })).toMatchObject({
      events: [],
      isEnd: true,
    });
    source.getClient().off('commandStarted', note);
    expect(commands).toEqual(['find event_logs']);
  });
});

describe('a failing event', () => {
  const [JOB = '', OTHER = ''] = JOBS;

  async function readUntil(done: (reader: LogReader) => Promise<void>): Promise<void> {
    const reader = await LogReader.open('job', replica());
    reader.wake();
    await vi.waitFor(async () => {
      await reader.tend();
      await done(reader);
    }, SETTLED);
    await reader.stop();
  }

  const parkedRows = () => rowsOf(target, 'parked_events', { number: 1 });

  it('parks its job’s later rows, and only these', { timeout: 60_000 }, async () => {
    await record(JOB, 3);
    await record(OTHER, 1);
    await logs[0].number(100, noRefusal);
    const [first = '', ...later] = await recordedIds(JOB);
    failing.add(first);
    await readUntil(async () => expect(await parkedRows()).toHaveLength(3));
    expect(await appliedIds(OTHER)).toHaveLength(1);
    expect(await appliedIds(JOB)).toEqual([]);
    const [failed, ...behind] = await parkedRows();
    expect(failed).toMatchObject({ _id: first, attempts: 4, error: 'Error: its effect fails', blocks: true });
    expect(behind.map(({ _id, retryAt }) => [String(_id), retryAt])).toEqual(later.map((id) => [id, undefined]));

    failing.clear();
    // As the runbook repeats it. A row that arrives meanwhile stays behind the others.
    await target
      .collection('parked_events')
      .updateMany({ retryAt: { $exists: true } }, { $set: { retryAt: new Date(0) } });
    await record(JOB, 1);
    await logs[0].number(100, noRefusal);
    await readUntil(async () => expect(await appliedIds(JOB)).toHaveLength(4));
    expect(await appliedIds(JOB)).toEqual(await recordedIds(JOB));
    expect(await parkedRows()).toEqual([]);
  });

  it('that waits for another one steps aside', { timeout: 60_000 }, async () => {
    await record(JOB, 2);
    await logs[0].number(100, noRefusal);
    const [first = '', second = ''] = await recordedIds(JOB);
    early.add(first);
    await readUntil(async () => expect(await appliedIds(JOB)).toEqual([second]));
    early.clear();
    await target.collection('parked_events').updateMany({}, { $set: { retryAt: new Date(0) } });
    await readUntil(async () => expect(await appliedIds(JOB)).toEqual([second, first]));
    expect(await parkedRows()).toEqual([]);
  });

  it('that waits like one before it holds up none', { timeout: 60_000 }, async () => {
    await record(JOB, 40);
    await logs[0].number(100, noRefusal);
    const ids = await recordedIds(JOB);
    for (const id of ids.slice(0, -1)) early.add(id);
    await readUntil(async () => expect(await appliedIds(JOB)).toEqual(ids.slice(-1)));
    // Four attempts of the first, and one of each other.
    expect(attempted.slice(0, 43)).toEqual([...Array(3).fill(ids[0]), ...ids]);
    expect(await parkedRows()).toHaveLength(39);
  });

  it('counts as failed after eight attempts', { timeout: 60_000 }, async () => {
    await record(JOB);
    await logs[0].number(100, noRefusal);
    const [id = ''] = await recordedIds(JOB);
    failing.add(id);
    await readUntil(async () => expect(await parkedRows()).toHaveLength(1));
    await target.collection('parked_events').updateMany({}, { $set: { attempts: 7, retryAt: new Date(0) } });
    await readUntil(async () =>
      expect(await new ParkedEvents(target).count()).toEqual(
        new Map([
          ['failed', 1],
          ['waiting', 0],
        ]),
      ),
    );
  });

  it('of another source’s type has no effect', async () => {
    const { consumer } = replica();
    const event: Event = {
      id: randomUUID(),
      type: jobStatusChanged.type,
      version: 1,
      occurredAt: new Date().toISOString(),
      jobId: JOB,
      data: { from: 'pending_payment', to: 'active' },
    };
    await consumer.apply('payment-watcher', event);
    await consumer.apply('job', { ...event, type: executionPaused.type });
    expect(await appliedIds(JOB)).toEqual([]);
    expect(requests).toBe(0);
  });
});
