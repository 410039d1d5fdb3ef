import { type MongoPart, startMongo } from '@maker/local-stack';
import { createIndexes, inTransaction } from '@maker/persistence';
import { WATCH_AFTER_END_MS } from '@maker/rules';
import mongoose, { type Connection } from 'mongoose';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchOf } from '../deposit/deposit.fixture.ts';
import { type WatchAge, WatchesRepository } from './watches.repository.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-11-27T12:00:00Z');
const MANY = 3000;
const SOME = 20;

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;
const age = (since: WatchAge['since'], fromMinutes: number, toMinutes: number, except: Address[] = []): WatchAge => ({
  since,
  afterMs: NOW_MS - toMinutes * MINUTE_MS,
  untilMs: NOW_MS - fromMinutes * MINUTE_MS,
  except,
});

let mongo: MongoPart;
let connection: Connection;
let watches: WatchesRepository;

beforeAll(async () => {
  mongo = await startMongo();
  connection = await mongoose.createConnection(mongo.urlOf('watches')).asPromise();
  watches = new WatchesRepository(connection);
  await createIndexes(connection);
  const created = (index: number, minutes: number) => {
    const [address, createdAtMs] = [addressOf(index), NOW_MS - minutes * MINUTE_MS];
    return watchOf({ address, jobId: `job_${index}`, createdAtMs });
  };
  const waiting = Array.from({ length: MANY }, (_, index) => created(index, 2));
  const ended = Array.from({ length: MANY }, (_, index) => ({
    ...created(MANY + index, 600),
    deadlinePassedAt: new Date(NOW_MS),
    watchUntil: new Date(NOW_MS - (index + 1) * MINUTE_MS + WATCH_AFTER_END_MS),
  }));
  await inTransaction(connection, (session) => watches.insert([...waiting, ...ended], session));
});

afterAll(async () => {
  await connection?.close();
  await mongo?.stop();
});

/** Returns the number of rows and index entries that the server examines during the work. */
async function examined(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { queryExecutor } = (await connection.db?.admin().serverStatus())?.metrics ?? {};
    return Number(queryExecutor.scanned) + Number(queryExecutor.scannedObjects);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

it('lists ended and waiting jobs by their age', async () => {
  const ages = [age('endedAt', 1, 3), age('createdAt', 3, 7), age('createdAt', 1, 3)];
  const found = await watches.toSearch('tokens', ages, SOME);
  expect(found).toHaveLength(SOME);
  const endedMinutes = found.map(({ endedAtMs }) => endedAtMs && (NOW_MS - endedAtMs) / MINUTE_MS);
  expect(endedMinutes.slice(0, 3)).toEqual([2, 1, undefined]);
  expect(await watches.toSearch('tokens', [age('createdAt', 3, 7)], SOME)).toEqual([]);
});

it('leaves out searched addresses', async () => {
  const searched = Array.from({ length: MANY - 1 }, (_, index) => addressOf(index));
  const [left, ...others] = await watches.toSearch('tokens', [age('createdAt', 1, 3, searched)], SOME);
  expect(left?.address).toBe(addressOf(MANY - 1));
  expect(others).toEqual([]);
});

it('reads a few of any number of waiting jobs', async () => {
  const ages = [age('endedAt', 1, 10), age('createdAt', 7, 14), age('createdAt', 1, 3)];
  expect(await examined(() => watches.toSearch('tokens', ages, SOME))).toBeLessThan(MANY / 10);
});
