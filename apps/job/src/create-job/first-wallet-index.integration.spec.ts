import { openDatabases, type TestDatabases } from '@maker/local-stack';
import { createIndexes, inTransaction } from '@maker/persistence';
import { type Connection, createConnection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobConfiguration } from '../configuration.ts';
import { JobsRepository } from '../job/jobs.repository.ts';

let mongo: TestDatabases;
let connection: Connection;

beforeAll(async () => {
  mongo = openDatabases();
  connection = await createConnection(mongo.urlOf('job'), { autoIndex: false }).asPromise();
});

afterAll(async () => {
  await connection?.close();
  await mongo?.stop();
});

/** Starts the service and takes an index. @returns the index of the next job */
async function startAndTake(firstIndex: number): Promise<number> {
  connection.deleteModel(/.*/);
  const jobs = new JobsRepository(connection, { JOB_FIRST_WALLET_INDEX: firstIndex } as JobConfiguration);
  await createIndexes(connection);
  await jobs.onModuleInit();
  return inTransaction(connection, async (session) => {
    const index = await jobs.nextWalletIndex(session);
    await jobs.takeWalletIndexes(1, session);
    return index;
  });
}

it('starts at JOB_FIRST_WALLET_INDEX and never goes back', async () => {
  expect(await startAndTake(0)).toBe(0);
  expect(await startAndTake(0)).toBe(1);
  expect(await startAndTake(1000)).toBe(1000);
  expect(await startAndTake(1000)).toBe(1001);
  expect(await startAndTake(0)).toBe(1002);
});
