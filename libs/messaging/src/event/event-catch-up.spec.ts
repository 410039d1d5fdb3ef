import type { Event } from '@maker/contracts';
import type { Clock, Logger } from '@maker/service-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventMetrics } from '../messaging.metrics.ts';
import type { RequestClient } from '../request/request-client.ts';
import { EventCatchUp } from './event-catch-up.ts';
import type { EventConsumer } from './event-consumer.ts';
import type { Inbox } from './inbox.ts';

interface Recorded {
  readonly event: Event;
  readonly committedAtMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

let recorded: Recorded[];
let listed: Map<string, number>;
let applied: Set<string>;
let failing: Set<string>;
let cursor: Date;
let catchUp: EventCatchUp;

const at = (ms: number) => new Date(ms).toISOString();
const record = (id: string, occurredAtMs: number, committedAtMs = occurredAtMs) =>
  recorded.push({ event: { id, occurredAt: at(occurredAtMs) } as Event, committedAtMs });

interface Query {
  readonly since: string;
  readonly afterId?: string;
  readonly limit: number;
  readonly lateOnly?: boolean;
}

/** A source's page of the events committed so far. */
function page({ since, afterId = '', limit, lateOnly = false }: Query): { events: Event[] } {
  const events = recorded
    .filter(({ committedAtMs }) => committedAtMs <= Date.now())
    .filter(({ event, committedAtMs }) => !lateOnly || committedAtMs > Date.parse(event.occurredAt) + 2 * SECOND_MS)
    .map(({ event }) => event)
    .filter((event) => Date.parse(event.occurredAt) < Date.now() - 3 * SECOND_MS)
    .filter((event) => event.occurredAt > since || (event.occurredAt === since && event.id > afterId))
    .toSorted((one, other) => (one.occurredAt + one.id < other.occurredAt + other.id ? -1 : 1))
    .slice(0, limit);
  for (const { id } of events) listed.set(id, (listed.get(id) ?? 0) + 1);
  return { events };
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-27T12:00:00Z') });
  [recorded, listed, applied, failing] = [[], new Map(), new Set(), new Set()];
  cursor = new Date();
  const consumer = {
    typesBySource: () => new Map([['job', ['job.created']]]),
    recover: async (_source: string, { id }: Event) => {
      if (failing.has(id)) throw new Error('its effect fails');
      applied.add(id);
    },
  };
  const inbox = {
    cursor: async () => cursor,
    advanceCursor: async (_source: string, since: Date) => {
      if (since > cursor) cursor = since;
    },
    unknown: async (ids: readonly string[]) => new Set(ids.filter((id) => !applied.has(id))),
  };
  const logger = { warn: () => undefined, error: () => undefined };
  catchUp = new EventCatchUp(
    consumer as unknown as EventConsumer,
    inbox as unknown as Inbox,
    {
      request: async (_contract: unknown, query: Query) => page(query),
    } as unknown as RequestClient,
    { now: () => Date.now() } as Clock,
    logger as unknown as Logger,
    { recoveredOne: () => undefined } as unknown as EventMetrics,
  );
  catchUp.start();
});

afterEach(async () => {
  await catchUp.stop();
  vi.useRealTimers();
});

/** Records an event each second, like a busy source. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += SECOND_MS) {
    record(`each-${Date.now()}`, Date.now());
    await vi.advanceTimersByTimeAsync(SECOND_MS);
  }
}

it('applies an event that never arrived within 20 s', async () => {
  await pass(MINUTE_MS);
  record('lost', Date.now());
  await pass(20 * SECOND_MS);
  expect(applied).toContain('lost');
});

it('lists an event once', async () => {
  await pass(20 * MINUTE_MS);
  // A round begins with the last event of the previous round.
  const again = [...listed.values()].filter((times) => times > 1).length;
  expect(Math.max(...listed.values())).toBeLessThanOrEqual(2);
  expect(again).toBeLessThanOrEqual(20 * 4);
});

it.each([2, 30, 59])('applies an event that was committed %i s late', async (seconds) => {
  await pass(MINUTE_MS);
  record('late', Date.now(), Date.now() + seconds * SECOND_MS);
  await pass(6 * MINUTE_MS);
  expect(applied).toContain('late');
});

it('applies an event committed late before an outage', async () => {
  await pass(MINUTE_MS);
  await catchUp.stop();
  record('late', Date.now() - 50 * SECOND_MS, Date.now() + SECOND_MS);
  await pass(60 * MINUTE_MS);
  catchUp.start();
  await pass(20 * SECOND_MS);
  expect(applied).toContain('late');
});

it('retries a late event until it has its effect', async () => {
  await pass(MINUTE_MS);
  record('late', Date.now(), Date.now() + 59 * SECOND_MS);
  failing.add('late');
  await pass(20 * MINUTE_MS);
  failing.clear();
  await pass(20 * SECOND_MS);
  expect(applied).toContain('late');
});
