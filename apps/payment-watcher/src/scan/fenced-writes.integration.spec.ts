import { openDatabases, type TestDatabases } from '@maker/local-stack';
import { type Lease, LeaseLostError, Leases } from '@maker/persistence';
import { MetricsRegistry } from '@maker/service-kit';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { blockOf } from '../deposit/deposit.fixture.ts';
import { CursorRepository } from './cursor.repository.ts';
import { FencedWrites } from './fenced-writes.ts';
import type { ScanState } from './scan-state.ts';

let mongo: TestDatabases;
let connection: Connection;
let cursor: CursorRepository;
let state: ScanState;

const writesOf = () => new FencedWrites(connection, new Leases(connection, new MetricsRegistry()), cursor);
const savedBlocks = async () => (await cursor.read()).blocks.map(({ number }) => number);

async function scanEmpty(...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    state.advance(blockOf(number, number * 1000));
    await writesOf().afterEmptyBlock(state);
  }
}

beforeAll(async () => {
  mongo = openDatabases();
  connection = await mongoose.createConnection(mongo.urlOf('watcher')).asPromise();
  cursor = new CursorRepository(connection);
});

afterAll(async () => {
  await connection?.close();
  await mongo?.stop();
});

beforeEach(async () => {
  await connection.dropDatabase();
  const lease = await new Leases(connection, new MetricsRegistry()).acquire('scanner', 600_000);
  state = await writesOf().begin(lease as Lease);
});

it('saves the cursor every five empty blocks', async () => {
  await scanEmpty(1, 2, 3, 4);
  expect(await savedBlocks()).toEqual([]);
  await scanEmpty(5, 6);
  expect(await savedBlocks()).toEqual([1, 2, 3, 4, 5]);
});

it('saves the cursor with each write', async () => {
  await scanEmpty(1, 2);
  await writesOf().run(state, async () => undefined);
  expect(await savedBlocks()).toEqual([1, 2]);
});

it('keeps the cursor when a write fails', async () => {
  await scanEmpty(1, 2);
  const failing = writesOf().run(state, () => Promise.reject(new Error('the disk is full')));
  await expect(failing).rejects.toThrow('the disk is full');
  expect(await savedBlocks()).toEqual([]);
});

it('saves a reorganisation of unsaved blocks', async () => {
  await scanEmpty(1, 2, 3, 4, 5, 6, 7);
  state.rewind(blockOf(6, 6000));
  await writesOf().run(state, async () => undefined);
  expect(await savedBlocks()).toEqual([1, 2, 3, 4, 5, 6]);
});

it('restarts its blocks after missed ones', async () => {
  await scanEmpty(1, 2, 3, 4, 5, 9);
  await writesOf().run(state, async () => undefined);
  expect(await cursor.read()).toMatchObject({ blocks: [{ number: 9 }], lastMissedBlock: 8 });
});

it('refuses writes of a scanner that was replaced', async () => {
  await connection.collection('leases').updateOne({}, { $set: { expiresAt: new Date(0) } });
  const next = await new Leases(connection, new MetricsRegistry()).acquire('scanner', 600_000);
  await writesOf().begin(next as Lease);
  await expect(writesOf().run(state, async () => undefined)).rejects.toThrow(LeaseLostError);
  await expect(scanEmpty(1, 2, 3, 4, 5)).rejects.toThrow(LeaseLostError);
  expect(await savedBlocks()).toEqual([]);
});
