/**
 * The peer of job creation: one side sends NATS requests, the other writes four documents in turn and answers; nothing else.
 * `fork(this, [natsUrl, mongoUrl])`; takes a {@link CreationsAsked} message and answers with {@link CreationsMade}.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Msg } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';

/** Number of parallel requests, and time. */
export interface CreationsAsked {
  readonly connections: number;
  readonly seconds: number;
}

/** Result of a run. */
export interface CreationsMade {
  readonly perSecond: number;
}

const SUBJECT = 'bench.create';
/** About the fields of a job, an event, a watch and an audit entry. */
const DOCUMENT = { text: 'x'.repeat(600), createdAt: new Date() };
const COLLECTIONS = ['jobs', 'events', 'watches', 'entries'];

const [servers = '', mongoUrl = ''] = process.argv.slice(2);
const mongo = await new MongoClient(mongoUrl).connect();
const database = mongo.db('bench');
const service = await connect({ servers, noAsyncTraces: true });
const client = await connect({ servers, noAsyncTraces: true });
const answer = async (message: Msg): Promise<void> => {
  for (const name of COLLECTIONS) {
    await database.collection<{ _id: string }>(name).insertOne({ _id: randomUUID(), ...DOCUMENT });
  }
  message.respond('{}');
};
service.subscribe(SUBJECT, { callback: (_error, message) => void answer(message) });
await service.flush();

process.on('message', async ({ connections, seconds }: CreationsAsked) => {
  const began = performance.now();
  const end = began + seconds * 1000;
  let made = 0;
  const askOn = async () => {
    while (performance.now() < end) {
      await client.request(SUBJECT, '{}', { timeout: 30_000 });
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, askOn));
  process.send?.({ perSecond: made / ((performance.now() - began) / 1000) } satisfies CreationsMade);
});
process.on('disconnect', () => process.exit(0));
