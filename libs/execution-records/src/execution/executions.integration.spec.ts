import { openDatabases, type TestDatabases } from '@maker/local-stack';
import { createIndexes, inTransaction } from '@maker/persistence';
import mongoose, { type Connection } from 'mongoose';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExecutionsRepository } from './executions.repository.ts';
import { startedExecution } from './started-execution.fixture.ts';

const AT_WORK = 1000;
const ENDED = 500;

const walletOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;

let mongo: TestDatabases;
let connection: Connection;
let executions: ExecutionsRepository;

beforeAll(async () => {
  mongo = openDatabases();
  connection = await mongoose.createConnection(mongo.urlOf('executions')).asPromise();
  executions = new ExecutionsRepository(connection);
  await createIndexes(connection);
  const execution = startedExecution();
  await inTransaction(connection, async (session) => {
    for (let index = 0; index < AT_WORK + ENDED; index += 1) {
      const ended = index < AT_WORK ? {} : { phase: 'completed' as const };
      const row = { id: `job_${index}`, walletAddress: walletOf(index), createdAt: new Date(index) };
      await executions.insert({ ...execution, ...row, ...ended }, session);
    }
  });
});

afterAll(async () => {
  await connection?.close();
  await mongo?.stop();
});

/** Documents examined and bytes returned by mongod for one read of executions. */
async function costOf(read: () => Promise<unknown>): Promise<{ documents: number; bytes: number }> {
  const database = connection.getClient().db(connection.name);
  await database.command({ profile: 2 });
  await read();
  await database.command({ profile: 0 });
  const [sum] = await database
    .collection('system.profile')
    .aggregate<{ documents: number; bytes: number }>([
      { $match: { ns: `${connection.name}.executions` } },
      { $group: { _id: null, documents: { $sum: '$docsExamined' }, bytes: { $sum: '$responseLength' } } },
    ])
    .toArray();
  await database.collection('system.profile').drop();
  return { documents: sum?.documents ?? 0, bytes: sum?.bytes ?? 0 };
}

it('names wallets at work, oldest first', async () => {
  const atWork = await executions.atWork([`job_${AT_WORK}`]);
  expect(atWork).toHaveLength(AT_WORK + 1);
  expect(atWork[0]).toEqual({ id: 'job_0', walletAddress: walletOf(0) });
  // This job ended, but has a fact to handle.
  expect(atWork.at(-1)?.id).toBe(`job_${AT_WORK}`);
  const whole = await costOf(() => executions.active());
  const named = await costOf(() => executions.atWork([]));
  expect(whole.documents).toBeGreaterThanOrEqual(AT_WORK);
  expect(named.documents).toBe(0);
  expect(named.bytes).toBeLessThan(whole.bytes / 5);
});
