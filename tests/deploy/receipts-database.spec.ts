import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGuardedMongo } from '../support/guarded-servers.ts';

let mongo: Awaited<ReturnType<typeof startGuardedMongo>>;
let executor: MongoClient;
let receipts: MongoClient;

beforeAll(async () => {
  mongo = await startGuardedMongo();
  executor = new MongoClient(mongo.urlOf('maker-executor'));
  receipts = new MongoClient(mongo.urlOf('receipts'));
  await executor.db().collection<{ _id: string }>('executions').insertOne({ _id: 'job' });
});

afterAll(async () => {
  await Promise.all([executor?.close(), receipts?.close()]);
  await mongo?.stop();
});

describe('the user of receipts in k8s/mongodb', () => {
  const executions = () => receipts.db('maker_executor').collection<{ _id: string }>('executions');

  it('reads executions', async () => {
    expect(await executions().findOne({ _id: 'job' })).toEqual({ _id: 'job' });
  });

  it.each([
    ['insert', () => executions().insertOne({ _id: 'other' })],
    ['change', () => executions().updateOne({ _id: 'job' }, { $set: { phase: 'completed' } })],
    ['delete', () => executions().deleteOne({ _id: 'job' })],
    ['index', () => executions().createIndex({ phase: 1 })],
    ['drop', () => executions().drop()],
  ] as const)('cannot %s them', async (_, write) => {
    await expect(write()).rejects.toThrow(/not authorized/);
  });

  it('writes its own database and reads no other', async () => {
    await receipts.db('receipts').collection('signed_receipts').insertOne({});
    await expect(receipts.db('job').collection('jobs').findOne()).rejects.toThrow(/not authorized/);
  });
});
