import { randomUUID } from 'node:crypto';
import { errorBodySchema, JOB_CHANGES_SUBJECT, type JobChanges } from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { MetricsRegistry } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { gatewayForFile, KEY, ORIGIN } from '../gateway-stage.fixture.ts';
import { JOB_ID, paymentFixture } from '../service-answers.fixture.ts';
import { services } from '../services.fixture.ts';
import { MOST_OF_ADDRESS } from './live-channel.ts';

const gateway = gatewayForFile();
const { announce } = gateway;

describe('the live channel', () => {
  const openStream = (signal: AbortSignal) =>
    fetch(`${gateway.baseUrl}/jobs/${JOB_ID}/events`, { signal, headers: { 'x-api-key': KEY, origin: ORIGIN } });

  it('sends the status after each event until the end', async () => {
    const response = await openStream(AbortSignal.timeout(20_000));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const statuses: string[] = [];
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      const seen = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '').status as string);
      if (seen.length === statuses.length) continue;
      statuses.splice(0, statuses.length, ...seen);
      const next = ({ pending_payment: 'active', active: 'completed' } as const)[seen.at(-1) ?? ''];
      if (!next) continue;
      services.payment = paymentFixture({ status: next, paymentReceived: true });
      await announce();
    }
    expect(statuses).toEqual(['pending_payment', 'active', 'completed']);
    expect(text).toContain('event: status');
  });

  it('requests the status once per payment, after the write', async () => {
    const leaving = new AbortController();
    const reader = (await openStream(leaving.signal)).body?.getReader();
    let text = '';
    const readUntil = async (words: string) => {
      while (!text.includes(words)) text += new TextDecoder().decode((await reader?.read())?.value);
    };
    await readUntil('"receivedWei":"0"');
    const requests = () => services.countOf('job.status.get');
    expect(requests()).toBe(1);
    services.payment = paymentFixture({ waitingWei: '5' });
    const connection = gateway.app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
    const written: JobChanges = {
      feed: randomUUID(),
      sequence: 0,
      jobIds: [JOB_ID],
      statusChanged: false,
      ageMs: 150,
    };
    connection.publish(JOB_CHANGES_SUBJECT, JSON.stringify(written));
    await readUntil('"waitingWei":"5"');
    expect(requests()).toBe(2);
    expect(services.countOf('receipts.receipt.get')).toBe(0);
    leaving.abort();
  });

  it('counts streams, refuses above the limit, forgets closed ones', async () => {
    const small = await gateway.startAnother();
    await small.listen(0, '127.0.0.1');
    const url = `${await small.getUrl()}/jobs/${JOB_ID}/events`;
    const open = (signal?: AbortSignal) => fetch(url, { headers: { 'x-api-key': KEY }, ...(signal ? { signal } : {}) });
    const openStreams = async () =>
      /^maker_live_streams (\d+)$/m.exec(await small.get(MetricsRegistry, { strict: false }).metrics())?.[1];
    try {
      const leaving = new AbortController();
      for (let count = 0; count < MOST_OF_ADDRESS; count += 1)
        await (await open(leaving.signal)).body?.getReader().read();
      expect(await openStreams()).toBe(String(MOST_OF_ADDRESS));
      const refused = await open();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('30');
      expect(errorBodySchema.parse(await refused.json()).code).toBe('TOO_MANY_REQUESTS');
      leaving.abort();
      await expect.poll(openStreams).toBe('0');
    } finally {
      await small.close();
    }
  });

  it('ends its streams when the gateway shuts down', async () => {
    const closing = await gateway.startAnother();
    await closing.listen(0, '127.0.0.1');
    const response = await fetch(`${await closing.getUrl()}/jobs/${JOB_ID}/events`, { headers: { 'x-api-key': KEY } });
    const reader = response.body?.getReader();
    await reader?.read();
    await closing.close();
    let ended = false;
    while (!ended) ended = (await reader?.read())?.done ?? true;
    expect(ended).toBe(true);
  });
});
