import { openDatabases, type TestDatabases } from '@maker/local-stack';
import { MetricsRegistry } from '@maker/service-kit';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { LeaseLostError, Leases } from './leases.ts';
import { inTransaction } from './transaction.ts';

const TTL_MS = 60_000;
const EXPIRED_MS = -1;

let mongo: TestDatabases;
let connection: Connection;
let otherConnection: Connection;
let leases: Leases;
let otherLeases: Leases;

beforeAll(async () => {
  mongo = openDatabases();
  connection = await mongoose.createConnection(mongo.urlOf('leases')).asPromise();
  otherConnection = await mongoose.createConnection(mongo.urlOf('leases')).asPromise();
  leases = new Leases(connection, new MetricsRegistry());
  otherLeases = new Leases(otherConnection, new MetricsRegistry());
});

beforeEach(() => connection.dropDatabase());

afterAll(async () => {
  await connection?.close();
  await otherConnection?.close();
  await mongo?.stop();
});

it('is held by one process until release or expiry', async () => {
  const lease = await leases.acquire('wallet', TTL_MS);
  expect(lease?.token).toBe(1);
  expect(await otherLeases.acquire('wallet', TTL_MS)).toBeUndefined();
  if (lease) await leases.release(lease);
  expect((await otherLeases.acquire('wallet', EXPIRED_MS))?.token).toBe(2);
  expect((await leases.acquire('wallet', TTL_MS))?.token).toBe(3);
});

it('goes to one of many concurrent requests', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => leases.acquire('scanner', TTL_MS)));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

it('rejects writes of a displaced owner', async () => {
  const stale = await leases.acquire('wallet', EXPIRED_MS);
  const fresh = await otherLeases.acquire('wallet', TTL_MS);
  if (!stale || !fresh) throw new Error('both must have held it');
  const write = vi.fn();
  const staleWrite = inTransaction(connection, async (session) => {
    await leases.assertHeld(stale, session);
    write();
  });
  await expect(staleWrite).rejects.toBeInstanceOf(LeaseLostError);
  expect(write).not.toHaveBeenCalled();
  await expect(leases.renew(stale, TTL_MS)).rejects.toBeInstanceOf(LeaseLostError);
  await inTransaction(otherConnection, (session) => otherLeases.assertHeld(fresh, session));
});

it('renews several leases together and returns lost ones', async () => {
  const kept = await leases.acquire('wallet/1', 1000);
  const stale = await leases.acquire('wallet/2', EXPIRED_MS);
  await otherLeases.acquire('wallet/2', TTL_MS);
  if (!kept || !stale) throw new Error('both must have been held');
  const before = await connection.collection('leases').findOne({ _id: 'wallet/1' as never });
  expect(await leases.renewAll([kept, stale], TTL_MS)).toEqual([stale]);
  const after = await connection.collection('leases').findOne({ _id: 'wallet/1' as never });
  expect(Number(after?.expiresAt) - Number(before?.expiresAt)).toBeGreaterThan(TTL_MS / 2);
  expect(await leases.renewAll([kept], TTL_MS)).toEqual([]);
  expect(await leases.renewAll([], TTL_MS)).toEqual([]);
});

it('shows the current owner', async () => {
  await leases.acquire('replica/1', TTL_MS);
  await otherLeases.acquire('replica/2', TTL_MS);
  await otherLeases.acquire('replica/3', EXPIRED_MS);
  const given = await leases.acquire('replica/4', TTL_MS);
  if (given) await leases.release(given);
  await leases.acquire('wallet/1', TTL_MS);
  expect(await leases.held(['replica/1', 'replica/2', 'replica/3', 'replica/4', 'wallet/2'])).toEqual(
    new Set(['replica/1', 'replica/2']),
  );
  expect(await leases.countHeld('replica/')).toBe(2);
});

it('removes long-expired names', async () => {
  const HOUR_MS = 3_600_000;
  await leases.acquire('replica/dead', -HOUR_MS - 1);
  await leases.acquire('replica/paused', EXPIRED_MS);
  const shown = await leases.acquire('replica/shown', TTL_MS);
  await leases.acquire('wallet/1', -HOUR_MS - 1);
  await otherLeases.removeExpired('replica/', HOUR_MS);
  const rows = await connection.collection('leases').distinct('_id');
  expect(rows.map(String).sort()).toEqual(['replica/paused', 'replica/shown', 'wallet/1']);
  if (shown) await leases.renew(shown, TTL_MS);
  expect((await leases.acquire('wallet/1', TTL_MS))?.token).toBe(2);
});
