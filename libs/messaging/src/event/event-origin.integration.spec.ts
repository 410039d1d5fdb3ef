import { randomUUID } from 'node:crypto';
import { type Event, executionCancelCommanded, listEvents, paymentReceived, paymentSeen } from '@maker/contracts';
import { type NatsPart, openDatabases, startNats, type TestDatabases } from '@maker/local-stack';
import { Connection } from '@maker/persistence';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { INestMicroservice } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { RequestClient } from '../request/request-client.ts';
import { RequestFailedError } from '../request/request-failure.ts';
import { startBareService } from '../service.fixture.ts';
import { EventCatchUp } from './event-catch-up.ts';
import { EventConsumer } from './event-consumer.ts';
import { EventListener } from './event-listener.ts';
import { Outbox } from './outbox.ts';

const JOB = `job_${'a'.repeat(32)}`;

let mongo: TestDatabases;
let broker: NatsPart;
let job: INestMicroservice;
let watcher: INestMicroservice;
const cancelled: string[] = [];
const seen: string[] = [];
const received: string[] = [];
const delivered: string[] = [];
const deadLetters: string[] = [];

beforeAll(async () => {
  mongo = openDatabases();
  broker = await startNats();
  watcher = await startBareService('payment-watcher', { mongo, broker });
  job = await startBareService('job', { mongo, broker });
  job.get(EventConsumer).on('maker-executor', executionCancelCommanded, async ({ id }) => {
    cancelled.push(id);
  });
  job.get(EventConsumer).on('payment-watcher', paymentSeen, async ({ id }) => {
    seen.push(id);
  });
  job.get(EventConsumer).on('payment-watcher', paymentReceived, async ({ data }) => {
    received.push(data.amountWei);
  });
  job.get<NatsConnection>(NATS_CONNECTION).subscribe('dead.job.>', {
    callback: (_error, letter) => void deadLetters.push(letter.json<Event>().id),
  });
  job.get(EventListener).listen([paymentSeen.type], ({ id }) => delivered.push(id));
});

afterAll(async () => {
  await Promise.all([job?.close(), watcher?.close()]);
  await Promise.all([mongo?.stop(), broker?.stop()]);
});

const event = (type: string, data: Record<string, unknown>): Event => ({
  id: randomUUID(),
  type,
  version: 1,
  occurredAt: new Date().toISOString(),
  jobId: JOB,
  data,
});
const aSeen = () => event(paymentSeen.type, { seenWei: '1', revision: 1 });
const aCancellation = () => event(executionCancelCommanded.type, { operators: ['anna'] });

const deposit = (amountWei: string) => {
  const blockAt = new Date().toISOString();
  return { depositId: 'a deposit', amountWei, kind: 'transfer', blockNumber: 1, blockAt };
};

const publish = (type: string, body: Event) =>
  jetstream(watcher.get<NatsConnection>(NATS_CONNECTION)).publish(`events.${type}`, JSON.stringify(body));

describe('an event', () => {
  it('has its subject’s type, not the body’s', async () => {
    const forged = aCancellation();
    const honest = aSeen();
    await vi.waitFor(() => publish(paymentSeen.type, forged), { timeout: 10_000 });
    await publish(paymentSeen.type, honest);
    await vi.waitFor(() => expect(seen).toEqual([honest.id]), { timeout: 10_000 });
    await vi.waitFor(() => expect(deadLetters).toEqual([forged.id]), { timeout: 10_000 });
    expect(cancelled).toEqual([]);
    expect(delivered).toEqual([honest.id]);
  });

  it('has its source’s recorded data, or is refused', { timeout: 30_000 }, async () => {
    const reported = event(paymentReceived.type, deposit('1'));
    const outbox = watcher.get(Connection).collection('outbox');
    const { id, occurredAt, ...row } = { ...reported, data: deposit('2') };
    const at = new Date(occurredAt);
    await outbox.insertOne({ ...row, _id: id as never, occurredAt: at, publishedAt: at });
    const forged = event(paymentReceived.type, deposit('3'));
    await publish(paymentReceived.type, forged);
    await publish(paymentReceived.type, reported);
    await vi.waitFor(() => expect(received).toEqual(['2']), { timeout: 10_000 });
    await vi.waitFor(() => expect(deadLetters).toContain(forged.id), { timeout: 10_000 });
    expect(received).toEqual(['2']);
  });

  it('waits while its source is unreachable', { timeout: 30_000 }, async () => {
    const reported = event(paymentReceived.type, deposit('4'));
    const outbox = watcher.get(Connection).collection('outbox');
    const { id, occurredAt, ...row } = reported;
    const at = new Date(occurredAt);
    await outbox.insertOne({ ...row, _id: id as never, occurredAt: at, publishedAt: at });
    const asked = vi.spyOn(job.get(RequestClient), 'request');
    asked.mockRejectedValueOnce(new RequestFailedError('SERVICE_UNAVAILABLE', 'not now'));
    await publish(paymentReceived.type, reported);
    await vi.waitFor(() => expect(received).toEqual(['2', '4']), { timeout: 10_000 });
    asked.mockRestore();
  });

  it('is not recovered from a non-publisher', { timeout: 60_000 }, async () => {
    const outbox = watcher.get(Connection).collection('outbox');
    const old = new Date(Date.now() - 10_000);
    const forged = aCancellation();
    const honest = aSeen();
    for (const { id, ...row } of [forged, honest])
      await outbox.insertOne({ ...row, _id: id as never, occurredAt: old, publishedAt: old });
    // A source that answers with more events than requested.
    const consumer = job.get(EventConsumer);
    const asked = vi.spyOn(consumer, 'typesBySource');
    asked.mockReturnValue(new Map([['payment-watcher', [paymentSeen.type, executionCancelCommanded.type]]]));
    // The next round would begin up to 15 s later.
    const catchUp = job.get(EventCatchUp);
    await catchUp.stop();
    catchUp.start();
    await vi.waitFor(() => expect(seen).toContain(honest.id), { timeout: 40_000, interval: 200 });
    expect(cancelled).toEqual([]);
    asked.mockRestore();
  });
});

it('rejects an event sent as a request', async () => {
  const nats = watcher.get<NatsConnection>(NATS_CONNECTION);
  const asked = vi.spyOn(job.get(Outbox), 'list');
  const data = { since: new Date().toISOString(), types: [paymentSeen.type], limit: 1 };
  const body = JSON.stringify({ id: '1', pattern: 'job.events.list', data });
  const manager = await jetstreamManager(nats);
  await manager.consumers.add('EVENTS', { name: 'redirected', filter_subject: 'events.redirected' });
  await jetstream(nats).publish('events.redirected', body);
  const arrived = Promise.withResolvers<string>();
  nats.subscribe('job.events.list', { callback: (_error, { subject }) => arrived.resolve(subject) });
  nats.publish('$JS.API.CONSUMER.MSG.NEXT.EVENTS.redirected', '{"batch":1}', { reply: 'job.events.list' });
  expect(await arrived.promise).toBe('events.redirected');
  await watcher.get(RequestClient).request(listEvents('job'), data);
  expect(asked).toHaveBeenCalledTimes(1);
});
