import { DUST, ExecutionsRepository, missingNonces, TransactionsRepository } from '@maker/execution-records';
import { openDatabases, type TestDatabases } from '@maker/local-stack';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let mongo: TestDatabases;
let connection: Connection;

beforeAll(async () => {
  mongo = openDatabases();
  connection = await mongoose.createConnection(mongo.urlOf('gauges')).asPromise();
});

afterAll(async () => {
  await connection?.close();
  await mongo?.stop();
});

beforeEach(() => connection.dropDatabase());

it('sums held minus released money, without dust', async () => {
  await connection.collection('executions').insertMany([
    { walletAddress: 'a', heldReason: 'no return address is known', totals: { heldWei: '700', releasedWei: '0' } },
    { walletAddress: 'b', heldReason: 'held again', totals: { heldWei: '500', releasedWei: '300' } },
    { walletAddress: 'c', heldReason: DUST, totals: { heldWei: '9', releasedWei: '0' } },
    { walletAddress: 'd', heldReason: null, totals: { heldWei: '100', releasedWei: '100' } },
  ]);
  expect(await new ExecutionsRepository(connection).held()).toEqual({ executions: 2, wei: 909 });
});

it('finds gaps below a nonce in flight', async () => {
  const signedAt = new Date(1000);
  const row = (sender: string, nonce: number, state: string, createdAt = new Date(2000)) => ({
    chainId: 31337,
    sender,
    nonce,
    state,
    createdAt,
  });
  await connection
    .collection('transactions')
    .insertMany([
      row('0xa', 0, 'final'),
      row('0xa', 1, 'mined'),
      row('0xa', 2, 'broadcast', signedAt),
      row('0xa', 3, 'signed'),
      row('0xb', 5, 'final'),
      row('0xb', 7, 'broadcast'),
      row('0xc', 1, 'final'),
    ]);
  const wallets = [...(await new TransactionsRepository(connection).nonces())].sort(
    (one, other) => one.oldestSignedAt.getTime() - other.oldestSignedAt.getTime(),
  );
  expect(wallets.map((wallet) => [...wallet.unconfirmed].sort())).toEqual([[2, 3], [7]]);
  expect(wallets.map(missingNonces)).toEqual([0, 1]);
  expect(wallets[0]?.oldestSignedAt).toEqual(signedAt);
});
