import type { OperatorCommandResponse, WebhookDelivery, WebhookEndpoint } from '@maker/contracts';
import { UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';
import type { OperatorApi } from './operator-api.ts';
import { outcomeOf, reasonOf } from './operator-text.ts';

/** Prints the endpoints with their waiting messages. @throws OperatorApiError */
export async function* listWebhooks(api: OperatorApi): AsyncGenerator<Printed> {
  const { endpoints } = await api.get<{ endpoints: WebhookEndpoint[] }>('/webhooks');
  for (const endpoint of endpoints) yield { text: endpointText(endpoint), json: endpoint };
}

/** Filters of messages. */
export interface DeliveryFilter {
  readonly endpoint?: string;
  readonly job?: string;
  readonly state?: string;
  readonly limit?: string;
  readonly reason?: string;
}

/** Prints messages with their attempts, newest first. @throws OperatorApiError */
export async function* logWebhooks(
  api: OperatorApi,
  { endpoint, job: jobId, state, limit, reason }: DeliveryFilter,
): AsyncGenerator<Printed> {
  const query = { endpoint, jobId, state, limit, reason };
  const { deliveries } = await api.get<{ deliveries: WebhookDelivery[] }>('/webhooks/deliveries', query);
  for (const delivery of deliveries) yield { text: deliveryText(delivery), json: delivery };
}

/** Sends one message, or all since a time, again. @throws UsageError @throws OperatorApiError */
export async function* redeliverWebhooks(
  api: OperatorApi,
  endpoint: string,
  eventId: string | undefined,
  { since, reason }: { readonly since?: string; readonly reason: string },
): AsyncGenerator<Printed> {
  if ((eventId === undefined) === (since === undefined)) throw new UsageError('name one event, or a time with --since');
  const order = { endpoint, ...(eventId === undefined ? { since } : { eventId }), reason: reasonOf(reason) };
  yield outcomeOf(await api.post<OperatorCommandResponse>('/webhooks/redeliver', order));
}

function endpointText({ name, host, since, waiting, oldestWaitingSince, failingSince }: WebhookEndpoint): string {
  const facts = [
    host ?? 'removed from the configuration: nothing is sent',
    `events since ${since}`,
    waiting === 0 ? 'all delivered' : `${waiting} waiting, the oldest since ${oldestWaitingSince}`,
    failingSince && `failing since ${failingSince}`,
  ];
  return [name, ...facts.filter(Boolean)].join('  ');
}

function deliveryText(delivery: WebhookDelivery): string {
  const { endpoint, eventId, type, jobId, occurredAt, state, attempts, nextAttemptAt, log } = delivery;
  const next = nextAttemptAt === undefined ? [] : [`attempt ${attempts + 1} at ${nextAttemptAt}`];
  return [
    [occurredAt, state.padEnd(9), endpoint, type, eventId, jobId, ...next].join('  '),
    ...log.map(({ at, outcome, status, answer, tookMs }) =>
      // The answer is untrusted text: quoting keeps control characters off the terminal.
      ['   ', at, outcome, ...(status === undefined ? [] : [status]), `${tookMs} ms`, JSON.stringify(answer)].join(
        '  ',
      ),
    ),
  ].join('\n');
}
