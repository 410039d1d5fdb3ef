import { doorbellOf, getReceipt, jobCreated, jobStatusChanged } from '@maker/contracts';
import { type NatsPart, openDatabases, startNats, type TestDatabases } from '@maker/local-stack';
import { transactionsOf } from '@maker/messaging/testing';
import { Connection, inTransaction } from '@maker/persistence';
import { createLogger, currentRequestId, MetricsRegistry, Readiness, runWithRequestId } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import { Controller, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectionOptions } from './connection/nats-configuration.ts';
import { NATS_CONNECTION } from './connection/nats-connection.ts';
import { EventConsumer } from './event/event-consumer.ts';
import { Outbox } from './event/outbox.ts';
import { HandleRequest } from './request/handle-request.ts';
import { RequestClient } from './request/request-client.ts';
import { RequestFailure } from './request/request-failure.ts';
import { serviceModule } from './service-module.ts';

const JOB = `job_${'a'.repeat(32)}`;
const TOKEN = `0x${'7'.repeat(40)}`;
/** A job whose event always fails. */
const UNWANTED = `0x${'6'.repeat(40)}`;
const UNKNOWN_JOB = `job_${'b'.repeat(32)}`;

let mongo: TestDatabases;
let broker: NatsPart;

@Controller()
class ReceiptController {
  readonly seenRequestIds: (string | undefined)[] = [];

  @HandleRequest(getReceipt)
  async get({ jobId }: { jobId: string }) {
    this.seenRequestIds.push(currentRequestId());
    if (jobId === UNKNOWN_JOB) throw new RequestFailure('JOB_NOT_FOUND', 'No such job');
    return { receipt: null };
  }
}

async function start(service: 'job' | 'payment-watcher', controllers: [] | [typeof ReceiptController]) {
  const common = { LOG_LEVEL: 'fatal', LISTEN_HOST: '127.0.0.1', OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 } as const;
  const nats = { NATS_URL: [broker.url] };
  const logger = createLogger(service, 'fatal');
  const configuration = { ...common, ...nats };
  const parts = { mongoUrl: mongo.urlOf(service), events: service, controllers };
  const tested = serviceModule(service, configuration, logger, parts);
  const options = { ...connectionOptions(service, nats), queue: service };
  return NestFactory.createMicroservice<MicroserviceOptions>(tested, {
    transport: Transport.NATS,
    options,
    logger: false,
  });
}

let producer: INestMicroservice;
let consumer: INestMicroservice;
const applied: string[] = [];
let rings = 0;
let failuresLeft = 0;

beforeAll(async () => {
  mongo = openDatabases();
  broker = await startNats();
  producer = await start('job', [ReceiptController]);
  consumer = await start('payment-watcher', []);
  consumer.get(EventConsumer).onMany('job', jobCreated, async (events, session) => {
    if (events.some(({ piece }) => piece.data.paymentAddress === UNWANTED)) throw new Error('never');
    const rows = events.map(({ piece, onBehalf }) => ({ _id: piece.id as never, by: onBehalf(currentRequestId) }));
    await consumer.get(Connection).collection('taken').insertMany(rows, { session });
  });
  consumer.get(EventConsumer).on('job', jobStatusChanged, async (event) => {
    if (failuresLeft > 0) {
      failuresLeft -= 1;
      throw new Error('not now');
    }
    applied.push(event.id);
  });
  consumer.get<NatsConnection>(NATS_CONNECTION).subscribe(doorbellOf('job'), {
    callback: (_error, { data }) => {
      rings += 1;
      expect(data).toHaveLength(0);
    },
  });
  for (const app of [producer, consumer]) {
    await app.listen();
    // Later requests reach them: the broker knows their subscriptions.
    await app.unwrap<NatsConnection>().flush();
  }
});

afterAll(async () => {
  await Promise.all([producer?.close(), consumer?.close()]);
  await Promise.all([mongo?.stop(), broker?.stop()]);
});

function record(contract: typeof jobStatusChanged): Promise<void> {
  const connection = producer.get(Connection);
  return inTransaction(connection, (session) =>
    producer.get(Outbox).record(contract, { jobId: JOB, data: { from: 'pending_payment', to: 'active' } }, session),
  );
}

it('answers a request under its id', async () => {
  const client = consumer.get(RequestClient);
  const reply = await runWithRequestId('request-1', () => client.request(getReceipt, { jobId: JOB }));
  expect(reply).toEqual({ receipt: null });
  expect(producer.get(ReceiptController).seenRequestIds).toEqual(['request-1']);
});

it('returns a refusal’s code and names bad shapes', async () => {
  const client = consumer.get(RequestClient);
  await expect(client.request(getReceipt, { jobId: UNKNOWN_JOB })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  await expect(client.request(getReceipt, { jobId: 'nonsense' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

it('reports that no service answers', async () => {
  const client = consumer.get(RequestClient);
  const unanswered = { ...getReceipt, subject: 'receipts.unanswered' } as const;
  await expect(client.request(unanswered, { jobId: JOB })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

it('rings once and applies each event once', async () => {
  await record(jobStatusChanged);
  await vi.waitFor(() => expect(applied).toHaveLength(1), { timeout: 5000 });
  await vi.waitFor(() => expect(rings).toBe(1));
  const again = {
    id: applied[0],
    type: 'job.status_changed',
    version: 1,
    occurredAt: new Date().toISOString(),
    jobId: JOB,
  };
  const data = { from: 'pending_payment', to: 'active' };
  await consumer.get(EventConsumer).process({ ...again, data });
  expect(applied).toHaveLength(1);
  const another = { ...again, id: 'another' };
  const taken = () => consumer.get(EventConsumer).process({ ...another, data });
  const commands = await transactionsOf(consumer.get(Connection), taken);
  expect(commands).toEqual(['insert inbox', 'commitTransaction']);
  expect(applied).toEqual([again.id, another.id]);
});

it('batches concurrent requests with separate results', async () => {
  const connection = consumer.get(Connection);
  const take = (id: string, paymentAddress = `0x${'5'.repeat(40)}`) =>
    consumer.get(EventConsumer).process({
      id,
      type: jobCreated.type,
      version: 1,
      occurredAt: new Date().toISOString(),
      jobId: JOB,
      requestId: `request of ${id}`,
      data: { tokenAddress: TOKEN, paymentAddress, paymentAmountWei: '1', paymentDeadline: new Date().toISOString() },
    });
  const taken = async () =>
    (await connection.collection('taken').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  const ids = Array.from({ length: 20 }, (_, index) => `event ${String(index).padStart(2, '0')}`);
  const commands = await transactionsOf(connection, () => Promise.all(ids.map((id) => take(id))));
  expect(commands).toEqual(['find inbox', 'insert inbox', 'insert taken', 'commitTransaction']);
  expect(await taken()).toEqual(ids);
  const [first] = await connection.collection('taken').find().sort({ _id: 1 }).toArray();
  expect(first).toMatchObject({ by: 'request of event 00' });

  const ends = await Promise.allSettled([
    take('event 00'),
    take('event 20'),
    take('event 20'),
    take('event 21', UNWANTED),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(await taken()).toEqual([...ids, 'event 20']);
});

it('repeats a failed handler without half effects', async () => {
  failuresLeft = 2;
  const before = applied.length;
  await record(jobStatusChanged);
  await vi.waitFor(() => expect(applied).toHaveLength(before + 1), { timeout: 10_000 });
  expect(failuresLeft).toBe(0);
});

it('exposes requests, events and parked events', async () => {
  const scrape = await consumer.get(MetricsRegistry).metrics();
  expect(scrape).toContain('maker_nats_connected 1');
  expect(scrape).toMatch(/maker_nats_requests_total\{subject="receipts.receipt.get",outcome="refused"\} 2/);
  expect(scrape).toMatch(/maker_nats_requests_total\{subject="receipts.receipt.get",outcome="timeout"\} 0/);
  expect(scrape).toMatch(/maker_events_consumed_total\{type="job.status_changed",outcome="failed"\} 2/);
  expect(scrape).toMatch(/maker_events_parked_total\{type="job.created"\} 0/);
  expect(scrape).toMatch(/maker_events_parked_messages\{state="failed"\} 0/);
  expect(scrape).toMatch(/maker_events_parked_messages\{state="waiting"\} 0/);
  expect(scrape).toMatch(/^maker_outbox_age_seconds 0$/m);
  expect(scrape).toMatch(/maker_mongo_command_duration_seconds_count\{command="commitTransaction"\} [1-9]/);
});

it('sets aside what no message can carry', async () => {
  const connection = producer.get(Connection);
  const outbox = connection.collection('outbox');
  const [before] = [applied.length];
  await inTransaction(connection, (session) =>
    producer
      .get(Outbox)
      .record(jobStatusChanged, { jobId: JOB, data: { from: 'pending_payment', to: 'active' } }, session),
  );
  await vi.waitFor(() => expect(applied).toHaveLength(before + 1), { timeout: 10_000 });
  const [row] = await outbox.find().sort({ occurredAt: -1 }).limit(1).toArray();
  const data = { ...row?.data, note: 'x'.repeat(1024 * 1024) };
  const late = { ...row, number: null, occurredAt: new Date(Date.now() - 10_000) };
  await outbox.insertMany([
    { ...late, _id: 'too large' as never, data },
    { ...late, _id: 'of no job' as never, jobId: 'nonsense' },
  ]);
  await record(jobStatusChanged);
  await vi.waitFor(() => expect(applied).toHaveLength(before + 2), { timeout: 10_000 });
  await vi.waitFor(async () =>
    expect(await producer.get(MetricsRegistry).metrics()).toMatch(/^maker_outbox_set_aside_messages 2$/m),
  );
  expect(await producer.get(MetricsRegistry).metrics()).toMatch(/^maker_outbox_age_seconds 0$/m);
  const mended = { $set: { data: row?.data }, $unset: { setAside: 1 } } as const;
  await outbox.updateOne({ _id: 'too large' as never }, mended);
  // No commit wakes the relay for this row.
  await vi.waitFor(() => expect(applied).toContain('too large'), { timeout: 20_000 });
});

it('needs no doorbell and no stored message', async () => {
  const before = applied.length;
  await consumer.get<NatsConnection>(NATS_CONNECTION).flush();
  const ringing = vi
    .spyOn(producer.get<NatsConnection>(NATS_CONNECTION), 'publish')
    .mockImplementation(() => undefined);
  await record(jobStatusChanged);
  await vi.waitFor(() => expect(applied).toHaveLength(before + 1), { timeout: 5000 });
  ringing.mockRestore();
  expect(rings).toBeLessThan(applied.length);
});

it('notices a silent broker and its return', { timeout: 90_000 }, async () => {
  const readiness = consumer.get(Readiness);
  readiness.started();
  const failing = async () => Object.keys((await readiness.report()).failing).sort();
  expect(await failing()).toEqual([]);
  const seen = applied.length;
  broker.pause();
  try {
    await vi.waitFor(async () => expect(await failing()).toEqual(['nats', 'nats requests']), { timeout: 30_000 });
    await record(jobStatusChanged);
    const refused = consumer.get(RequestClient).request(getReceipt, { jobId: JOB }, 500);
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^SERVICE_(TIMEOUT|UNAVAILABLE)$/) });
  } finally {
    broker.resume();
  }
  await vi.waitFor(async () => expect(await failing()).toEqual([]), { timeout: 30_000 });
  await vi.waitFor(() => expect(applied).toHaveLength(seen + 1), { timeout: 30_000 });
  expect(await consumer.get(RequestClient).request(getReceipt, { jobId: JOB })).toEqual({ receipt: null });
});
