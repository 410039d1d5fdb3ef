import { randomUUID } from 'node:crypto';
import { type MongoPart, startMongo } from '@maker/local-stack';
import { createLogger, Readiness } from '@maker/service-kit';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openConnection } from './open-connection.ts';
import { isDatabaseOutage } from './outage.ts';
import { inTransaction } from './transaction.ts';

const SOON = { timeout: 30_000, interval: 100 };

let mongo: MongoPart;
let connection: Connection;
let readiness: Readiness;

beforeAll(async () => {
  mongo = await startMongo();
  readiness = new Readiness();
  readiness.started();
  connection = await openConnection(mongo.urlOf('outage'), createLogger('outage', 'silent'), readiness);
});

afterAll(async () => {
  mongo?.resume();
  await connection?.close();
  await mongo?.stop();
});

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const rows = () => connection.collection<{ _id: string }>('rows');

it('gives up on a silent server and recovers', { timeout: 40_000 }, async () => {
  await rows().insertOne({ _id: 'before' });
  mongo.pause();
  let failure: unknown;
  // A signal takes a moment to stop all threads of a server.
  while (failure === undefined) failure = await failureOf(rows().insertOne({ _id: randomUUID() }));
  expect(isDatabaseOutage(failure)).toBe(true);
  expect(await readiness.report()).toMatchObject({ ready: false });
  mongo.resume();
  await vi.waitFor(async () => expect(await readiness.report()).toMatchObject({ ready: true }), SOON);
  await inTransaction(connection, async (session) => {
    await rows().insertOne({ _id: 'after' }, { session });
  });
  expect(await rows().countDocuments({ _id: { $in: ['before', 'after'] } })).toBe(2);
});

it('separates an unreachable server from a refusal', async () => {
  await rows().insertOne({ _id: 'twice' });
  const refused = await failureOf(rows().insertOne({ _id: 'twice' }));
  expect(isDatabaseOutage(refused)).toBe(false);
  expect(isDatabaseOutage(new Error('anything'))).toBe(false);
});
