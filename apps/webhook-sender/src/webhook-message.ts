import { type Event, type JobCreator, WITHHELD_FROM_WEBHOOKS } from '@maker/contracts';

/** The message of an event, created once and stored as bytes: the content of an id never changes. */
export interface WebhookMessage {
  /** Id of the event, and `webhook-id` of every attempt. */
  readonly id: string;
  readonly type: string;
  readonly jobId: string;
  readonly occurredAt: Date;
  /** JSON. */
  readonly body: string;
}

/** Returns the message of an event in the format of Standard Webhooks. @param creator of its job */
export function messageOf({ id, type, jobId, occurredAt, data }: Event, creator: JobCreator): WebhookMessage {
  const fields = Object.fromEntries(Object.entries(data).filter(([field]) => !WITHHELD_FROM_WEBHOOKS.includes(field)));
  const body = JSON.stringify({ type, timestamp: occurredAt, data: { jobId, ...creator, ...fields } });
  return { id, type, jobId, occurredAt: new Date(occurredAt), body };
}
