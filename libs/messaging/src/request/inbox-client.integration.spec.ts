import { getReceipt } from '@maker/contracts';
import { type NatsPart, startNats } from '@maker/local-stack';
import { MetricsRegistry } from '@maker/service-kit';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectionOptions } from '../connection/nats-configuration.ts';
import { NatsMetrics } from '../messaging.metrics.ts';
import { InboxClient } from './inbox-client.ts';
import { RequestClient } from './request-client.ts';

const JOB = { jobId: `job_${'a'.repeat(32)}` };

let broker: NatsPart;
let responder: NatsConnection;
let client: InboxClient;
let requests: RequestClient;
const registry = new MetricsRegistry();

beforeAll(async () => {
  Logger.overrideLogger(false);
  broker = await startNats();
  responder = await connect({ servers: broker.url });
  const metrics = new NatsMetrics(registry);
  client = new InboxClient('api-gateway', connectionOptions('api-gateway', { NATS_URL: [broker.url] }), metrics);
  await client.connect();
  requests = new RequestClient(client, metrics);
});

afterEach(() => {
  registry.resetMetrics();
});

afterAll(async () => {
  Logger.overrideLogger(['log']);
  await Promise.all([client?.close(), responder?.close()]);
  await broker?.stop();
});

/** Answers receipts until the returned function ends: then the server knows that nobody does. */
async function answering(answer: (request: Msg, id: string) => void): Promise<() => Promise<void>> {
  const callback = (_error: Error | null, request: Msg) => answer(request, request.json<{ id: string }>().id);
  const subscription = responder.subscribe(getReceipt.subject, { callback });
  await responder.flush();
  return async () => {
    subscription.unsubscribe();
    await responder.flush();
  };
}

const packet = (fields: object): string => JSON.stringify({ response: { receipt: null }, isDisposed: true, ...fields });
const forged = { response: { receipt: 'forged' } };

async function dropped(reason: string): Promise<number> {
  const counted = await registry.getSingleMetric('maker_nats_replies_dropped_total')?.get();
  return counted?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}

it('drops and counts replies without the request’s id', async () => {
  const stop = await answering((request, id) => {
    const replies = [packet(forged), packet({ ...forged, id: `${id}0` }), '{}', 'null', '"', '', packet({ id })];
    for (const reply of replies) request.respond(reply);
  });
  expect(await requests.request(getReceipt, JOB)).toEqual({ receipt: null });
  await stop();
  expect(await dropped('other_id')).toBe(6);
});

it('drops and counts replies to an ended request', async () => {
  let taken: Msg | undefined;
  const stop = await answering((request, id) => {
    taken = request;
    request.respond(packet({ id }));
  });
  await requests.request(getReceipt, JOB);
  taken?.respond(packet(forged));
  await requests.request(getReceipt, JOB);
  await stop();
  await vi.waitFor(async () => expect(await dropped('no_request')).toBe(1));
});

it('names requester and responder in unpredictable inboxes', async () => {
  const inboxes: string[] = [];
  const stop = await answering((request, id) => {
    inboxes.push(request.reply ?? '');
    request.respond(packet({ id }));
  });
  for (let count = 0; count < 3; count++) await requests.request(getReceipt, JOB);
  await stop();
  const randomParts = inboxes.map(
    (inbox) => /^_INBOX\.api-gateway\.receipts\.[0-9a-f]{32}\.([0-9a-f]{32})$/.exec(inbox)?.[1],
  );
  expect(new Set(randomParts).size).toBe(3);
  expect(randomParts).not.toContain(undefined);
});

it('reports at once that no service answers', async () => {
  await expect(requests.request(getReceipt, JOB)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

it('fails open requests when it closes', async () => {
  const stop = await answering(() => undefined);
  const closing = new InboxClient(
    'job',
    connectionOptions('job', { NATS_URL: [broker.url] }),
    new NatsMetrics(new MetricsRegistry()),
  );
  await closing.connect();
  const asked = new RequestClient(closing, new NatsMetrics(new MetricsRegistry())).request(getReceipt, JOB);
  const failed = expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await responder.flush();
  await closing.close();
  await failed;
  await stop();
});
