import { writeFileSync } from 'node:fs';
import {
  jobActivated,
  jobCancelRequested,
  jobStatusChanged,
  listWebhookEndpoints,
  redeliverWebhooks,
} from '@maker/contracts';
import { MetricsRegistry } from '@maker/service-kit';
import { describe, expect, it, vi } from 'vitest';
import { Receiver } from './receiver.fixture.ts';
import {
  ACTIVATED,
  idsOf,
  MINUTE_MS,
  newJob,
  newJobs,
  newSecret,
  PATIENT,
  SECOND_MS,
  stageForFile,
} from './sender-stage.fixture.ts';
import { startSender } from './webhook-sender.fixture.ts';

const stage = stageForFile();
const { allDelivered, deliveries, endpoints, laterBy, now, reload, verified } = stage;

const PLAN = {
  slotMs: 1000,
  tradingEndsAt: '2026-01-02T00:00:00.000Z',
  latestEndAt: '2026-01-03T00:00:00.000Z',
  seenPriceX96: null,
  slippageBps: 100,
  impactCapBps: 50,
  bandBps: 1000,
};

describe('an endpoint', () => {
  it('receives each of its changes once, signed', async () => {
    const jobId = newJob();
    await stage.job.publish(jobActivated, jobId, {
      tokenAddress: '0x1',
      walletAddress: '0x2',
      walletIndex: 7,
      depositWei: '500000000000000000',
      returnAddress: null,
      plan: PLAN,
    });
    await allDelivered(1);
    expect(stage.receiver.received).toHaveLength(1);
    const [{ body, headers } = { body: '', headers: {} }] = stage.receiver.received;
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    const { timestamp, ...payload } = verified({ body, headers }) as Record<string, unknown>;
    expect(Date.parse(String(timestamp))).toBeLessThanOrEqual(now());
    expect(payload).toEqual({
      type: 'job.activated',
      data: {
        jobId,
        tokenAddress: '0x1',
        walletAddress: '0x2',
        depositWei: '500000000000000000',
        returnAddress: null,
        plan: PLAN,
      },
    });
  });

  it('receives jobs of its keys and events that it names', async () => {
    const other = await new Receiver().start();
    const [ours, theirs] = [newJob(), newJob()];
    stage.job.creators.set(ours, { apiKeyName: 'shop', metadata: { orderId: '1234' } });
    stage.job.creators.set(theirs, { apiKeyName: 'other-shop' });
    await endpoints(
      { name: stage.shop, url: stage.receiver.url, secrets: [stage.secret], keys: ['shop'] },
      {
        name: `other-${stage.shop}`,
        url: other.url,
        secrets: [newSecret()],
        keys: ['other-shop'],
        events: ['job.cancel_requested'],
      },
    );
    await stage.job.publish(jobStatusChanged, [ours, theirs], ACTIVATED);
    await stage.job.publish(jobCancelRequested, [ours, theirs], {});
    await allDelivered(2);
    await vi.waitFor(() => expect(other.received).toHaveLength(1), PATIENT);
    const bodies = stage.receiver.received.map(({ body }) => JSON.parse(body));
    for (const { data } of bodies)
      expect(data).toMatchObject({ jobId: ours, apiKeyName: 'shop', metadata: { orderId: '1234' } });
    expect(JSON.parse(other.received[0]?.body ?? '')).toMatchObject({
      type: 'job.cancel_requested',
      data: { jobId: theirs, apiKeyName: 'other-shop' },
    });
    await other.stop();
  });

  it('receives each message from only one replica', async () => {
    stage.senders.push(await startSender(stage.servers));
    await stage.job.publish(jobStatusChanged, newJobs(40), ACTIVATED);
    await allDelivered(40);
    // Attempts that time out on a busy machine are repeated.
    const answers = (await deliveries()).map(({ log }) => log.filter(({ outcome }) => outcome === 'delivered').length);
    expect(answers).toEqual(Array.from({ length: 40 }, () => 1));
    expect(idsOf(stage.receiver)).toHaveLength(40);
    await stage.senders.pop()?.close();
  });

  it('receives from its listing until its removal', async () => {
    const second = await new Receiver().start();
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(1);
    laterBy(SECOND_MS);
    const added = `second-${stage.shop}`;
    const first = { name: stage.shop, url: stage.receiver.url, secrets: [stage.secret] };
    await endpoints(first, { name: added, url: second.url, secrets: [newSecret()] });
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(2);
    await vi.waitFor(() => expect(second.received).toHaveLength(1), PATIENT);
    await endpoints(first);
    laterBy(11 * MINUTE_MS);
    await reload();
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(3);
    expect(await deliveries(added)).toHaveLength(1);
    await second.stop();
  });

  it('rotates its secret without an unverifiable message', async () => {
    const next = newSecret();
    const lastBy = async (...secrets: string[]) => {
      await endpoints({ name: stage.shop, url: stage.receiver.url, secrets });
      const before = stage.receiver.received.length;
      await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
      await vi.waitFor(() => expect(stage.receiver.received.length).toBe(before + 1), PATIENT);
      const { body = '', headers = {} } = stage.receiver.received.at(-1) ?? {};
      return (key: string) => verified({ body, headers }, key);
    };
    const verifyBoth = await lastBy(stage.secret, next);
    for (const key of [stage.secret, next]) expect(verifyBoth(key)).toMatchObject({ type: 'job.status_changed' });
    const verifyNew = await lastBy(next);
    expect(() => verifyNew(stage.secret)).toThrow('No matching signature');
    expect(verifyNew(next)).toMatchObject({ type: 'job.status_changed' });
  });

  it('keeps the old file when broken, with a metric', async () => {
    writeFileSync(stage.servers.endpointsFile, '[{"name": "hunter2');
    await reload();
    const metrics = () => stage.senders[0]?.get(MetricsRegistry).metrics();
    expect(await metrics()).toContain('maker_webhook_endpoint_file_refused 1');
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(1);
    await endpoints({ name: stage.shop, url: stage.receiver.url, secrets: [stage.secret] });
    expect(await metrics()).toContain('maker_webhook_endpoint_file_refused 0');
  });
});

describe('an operator', () => {
  it('resends a message with its id and content', async () => {
    await stage.job.publish(jobStatusChanged, newJobs(3), ACTIVATED);
    await allDelivered(3);
    const [{ id, body } = { id: '', body: '' }] = stage.receiver.received;
    const { outcome } = await stage.job.ask(redeliverWebhooks, { endpoint: stage.shop, eventId: id });
    expect(outcome).toBe(`1 message to ${stage.shop} will be sent again`);
    await vi.waitFor(() => expect(stage.receiver.received).toHaveLength(4), PATIENT);
    expect(stage.receiver.received.at(-1)).toMatchObject({ id, body });
  });

  it('resends all messages since a time', async () => {
    await stage.job.publish(jobStatusChanged, newJobs(2), ACTIVATED);
    await allDelivered(2);
    laterBy(MINUTE_MS);
    const since = new Date(now()).toISOString();
    await stage.job.publish(jobStatusChanged, newJobs(2), ACTIVATED);
    await allDelivered(4);
    await stage.job.ask(redeliverWebhooks, { endpoint: stage.shop, since });
    await vi.waitFor(() => expect(stage.receiver.received).toHaveLength(6), PATIENT);
    expect(idsOf(stage.receiver)).toHaveLength(4);
  });

  it('gets an error for an unknown endpoint or message', async () => {
    const eventId = '0f5c2f4e-8f1e-4f8e-9d8e-3b0c3a1f2d4e';
    await expect(stage.job.ask(redeliverWebhooks, { endpoint: 'unknown', eventId })).rejects.toMatchObject({
      code: 'NOT_POSSIBLE_NOW',
    });
    await expect(stage.job.ask(redeliverWebhooks, { endpoint: stage.shop, eventId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('sees only the host of an endpoint', async () => {
    const answer = JSON.stringify(await stage.job.ask(listWebhookEndpoints, {}));
    expect(answer).toContain(new URL(stage.receiver.url).host);
    expect(answer).not.toMatch(/hidden|whsec_/);
  });
});
