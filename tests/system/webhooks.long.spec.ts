import type { WebhookDelivery, WebhookEndpoint } from '@maker/contracts';
import type { RunningStack } from '@maker/local-stack';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

let running: RunningStack;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  running = await startOwnStack(20, {}, {}, { webhookEndpointsFile: receiver.endpointsFile });
}, 120_000);

afterAll(async () => {
  await running?.stop();
  await receiver?.stop();
});

it('a named endpoint receives a new job', async () => {
  const product = new ProductClient(running.stack);
  const { jobId } = await product.createJob(running.stack.tokens.both as Address, 0.25);
  const sent = () => [...receiver.contents.values()].flatMap((bodies) => [...bodies]).map((body) => JSON.parse(body));
  await until(
    'the news',
    async () => sent(),
    (messages) => messages.some(({ type, data }) => type === 'job.created' && data.jobId === jobId),
  );
  const { endpoints } = (await product.operate('GET', '/webhooks')) as { endpoints: WebhookEndpoint[] };
  expect(endpoints).toMatchObject([{ name: 'receiver', host: expect.stringContaining('127.0.0.1') }]);
  const query = `/webhooks/deliveries?endpoint=receiver&jobId=${jobId}`;
  const { deliveries } = (await product.operate('GET', query)) as { deliveries: WebhookDelivery[] };
  const created = deliveries.find(({ type }) => type === 'job.created');
  expect(created?.log).toMatchObject([{ outcome: 'delivered', status: 204 }]);
  const again = { endpoint: 'receiver', eventId: created?.eventId, reason: 'their database was lost' };
  expect(await product.operate('POST', '/webhooks/redeliver', again)).toMatchObject({
    outcome: '1 message to receiver will be sent again',
  });
  const attempts = async () =>
    ((await product.operate('GET', query)) as { deliveries: WebhookDelivery[] }).deliveries.find(
      ({ type }) => type === 'job.created',
    )?.log.length;
  await until('the message once more', attempts, (count) => count === 2);
  expect(receiver.contents.get(created?.eventId ?? '')?.size).toBe(1);
  expect(receiver.forged).toEqual([]);
});
