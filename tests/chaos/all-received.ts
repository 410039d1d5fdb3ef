import { type Event, eventSchema, type JobCreator, WEBHOOK_EVENTS } from '@maker/contracts';
import type { StackDescription } from '@maker/local-stack';
import { MongoClient } from 'mongodb';
import { messageOf } from '../../apps/webhook-sender/src/webhook-message.ts';
import { until } from '../support/until.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import type { ChaosJob } from './invariants.ts';

/** An attempt of a killed process counts as lost after a minute; the sender then repeats it. */
const RECEIVED_WITHIN_MS = 180_000;

/**
 * Waits until a webhook receiver has all events in the outboxes of some jobs, and checks each message: signed, and with the same content
 * for the same id, however often it came.
 * @param circumstances seed and faults, printed with a failure @throws Error with every violation
 */
export async function assertAllReceived(
  stack: StackDescription,
  receiver: WebhookReceiver,
  jobs: readonly ChaosJob[],
  circumstances: string,
): Promise<void> {
  const { events, creators } = await recorded(
    stack,
    jobs.map(({ jobId }) => jobId),
  );
  const missing = async () =>
    events.filter(({ id }) => !receiver.contents.has(id)).map(({ type, id }) => `${type} ${id}`);
  const isEmpty = (left: readonly string[]) => left.length === 0;
  await until('all events to be received', missing, isEmpty, { timeoutMs: RECEIVED_WITHIN_MS }).catch(
    (error: unknown) => {
      throw new Error(`[${circumstances}] ${error instanceof Error ? error.message : error}`);
    },
  );
  const changed = events.filter((event) => {
    const contents = [...(receiver.contents.get(event.id) ?? [])];
    return contents.length !== 1 || contents[0] !== messageOf(event, creators.get(event.jobId) ?? {}).body;
  });
  const violations = [...changed.map(({ type, id }) => `${type} ${id} came with another content`), ...receiver.forged];
  if (violations.length > 0) throw new Error(`[${circumstances}] ${violations.join('\n')}`);
}

/** Every event of some jobs that endpoints should receive, and who created the jobs, read from the databases without a service. */
async function recorded(
  { mongoUrl }: StackDescription,
  jobIds: readonly string[],
): Promise<{ events: Event[]; creators: ReadonlyMap<string, JobCreator> }> {
  const client = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: 5000 });
  try {
    const events = WEBHOOK_EVENTS.map(async ({ source, contract: { type } }) => {
      const outbox = client.db(source.replaceAll('-', '_')).collection('outbox');
      const rows = await outbox.find({ jobId: { $in: [...jobIds] }, type }).toArray();
      return rows.map(({ _id, occurredAt, ...row }) =>
        eventSchema.parse({ ...row, id: _id, occurredAt: occurredAt.toISOString() }),
      );
    });
    const jobs = client.db('job').collection<{ _id: string; idempotency: JobCreator } & JobCreator>('jobs');
    const rows = await jobs.find({ _id: { $in: [...jobIds] } }).toArray();
    const creators = new Map(
      rows.map(({ _id, idempotency: { apiKeyName }, metadata }) => [
        _id,
        { apiKeyName, ...(metadata && { metadata }) },
      ]),
    );
    return { events: (await Promise.all(events)).flat(), creators };
  } finally {
    await client.close();
  }
}
