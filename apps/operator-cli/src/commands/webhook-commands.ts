import {
  type OperatorCommandResponse,
  operatorReasonSchema,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@maker/contracts';
import { UsageError } from '../command-error.ts';
import type { OperatorApi } from './operator-api.ts';

export const WEBHOOKS_USAGE = `  webhooks                                        endpoints with their waiting messages
  webhooks log [--endpoint <name>] [--job <job>] [--state waiting|delivered] [--limit <n>]
                                                  messages with their attempts and answers, newest first
  webhooks redeliver <endpoint> <event>|--since <time> --reason <why>
                                                  sends a message, or all since a time, again under the same id`;

/** Arguments after the command's name. */
export interface WebhookArguments {
  readonly positionals: readonly string[];
  readonly values: Readonly<Partial<Record<'reason' | 'limit' | 'endpoint' | 'job' | 'state' | 'since', string>>>;
}

/** Runs one of the commands of webhooks. @returns its output, piece by piece @throws UsageError @throws OperatorApiError */
export async function* webhooksCommand(
  api: OperatorApi,
  { positionals: [verb, ...rest], values }: WebhookArguments,
): AsyncGenerator<string> {
  if (verb === undefined) {
    const { endpoints } = await api.get<{ endpoints: WebhookEndpoint[] }>('/webhooks');
    yield* endpoints.map((endpoint) => `${endpointText(endpoint)}\n`);
  } else if (verb === 'log' && rest.length === 0) {
    const { endpoint, job: jobId, state, limit, reason } = values;
    const query = { endpoint, jobId, state, limit, reason };
    const { deliveries } = await api.get<{ deliveries: WebhookDelivery[] }>('/webhooks/deliveries', query);
    yield* deliveries.map((delivery) => `${deliveryText(delivery)}\n`);
  } else if (verb === 'redeliver') yield* redeliver(api, rest, values);
  else throw new UsageError(WEBHOOKS_USAGE);
}

async function* redeliver(
  api: OperatorApi,
  [endpoint, eventId, ...more]: readonly string[],
  { since, reason }: WebhookArguments['values'],
): AsyncGenerator<string> {
  const one = (eventId === undefined) !== (since === undefined);
  if (endpoint === undefined || !one || more.length > 0) throw new UsageError(WEBHOOKS_USAGE);
  const order = { endpoint, ...(eventId === undefined ? { since } : { eventId }), reason: reasonOf({ reason }) };
  const { outcome, actionId } = await api.post<OperatorCommandResponse>('/webhooks/redeliver', order);
  yield `${outcome}\nrecorded as ${actionId}\n`;
}

/** The reason for a command. @throws UsageError if it is missing or too short or long */
export function reasonOf({ reason }: { readonly reason?: string | undefined }): string {
  const parsed = operatorReasonSchema.safeParse(reason);
  if (parsed.success) return parsed.data;
  throw new UsageError('a --reason with 3 to 500 characters is needed: it is kept in the audit log');
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
