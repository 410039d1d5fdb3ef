import { type Event, WITHHELD_FROM_WEBHOOKS } from '@maker/contracts';

/** What endpoints are sent, made once of each event and kept as these bytes: an id never changes its content. */
export interface WebhookMessage {
  /** The event's id: `webhook-id` of every attempt. */
  readonly id: string;
  readonly type: string;
  readonly jobId: string;
  readonly occurredAt: Date;
  /** JSON. */
  readonly body: string;
}

/** The message of an event, in the form that Standard Webhooks recommends. */
export function messageOf({ id, type, jobId, occurredAt, data }: Event): WebhookMessage {
  const told = Object.fromEntries(Object.entries(data).filter(([field]) => !WITHHELD_FROM_WEBHOOKS.includes(field)));
  const body = JSON.stringify({ type, timestamp: occurredAt, data: { jobId, ...told } });
  return { id, type, jobId, occurredAt: new Date(occurredAt), body };
}
