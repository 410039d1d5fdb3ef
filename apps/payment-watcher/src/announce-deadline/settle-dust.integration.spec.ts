import { openDatabases, type TestDatabases } from '@maker/local-stack';
import { createIndexes, inTransaction, Leases } from '@maker/persistence';
import { MetricsRegistry } from '@maker/service-kit';
import mongoose, { type Connection } from 'mongoose';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { blockOf, watchOf } from '../deposit/deposit.fixture.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { DustRepository } from '../deposit/dust.repository.ts';
import { CursorRepository } from '../scan/cursor.repository.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import { ScanState } from '../scan/scan-state.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { DepositDustService } from './deposit-dust.service.ts';

const DAY_MS = 86_400_000;
const SPENDING = 45;
const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;
const QUIET = addressOf(0xffff);

let mongo: TestDatabases;
let connection: Connection;

beforeAll(async () => {
  mongo = openDatabases();
  connection = await mongoose.createConnection(mongo.urlOf('dust')).asPromise();
});

afterAll(async () => {
  await connection?.close();
  await mongo?.stop();
});

it('settles dust once a day, after spending wallets', async () => {
  const leases = new Leases(connection, new MetricsRegistry());
  const watches = new WatchesRepository(connection);
  const dust = new DustRepository(connection);
  const deposits = new DepositsRepository(connection, dust);
  await createIndexes(connection);
  const lease = await leases.acquire('scanner', 600_000);
  const spending = Array.from({ length: SPENDING }, (_, index) => addressOf(index + 1));
  await inTransaction(connection, async (session) => {
    const wallets = spending.map((address) => watchOf({ address, jobId: address, spendingSinceBlock: 1 }));
    await watches.insert([...wallets, watchOf({ address: QUIET, jobId: QUIET })], session);
    const facts = [...spending, QUIET].map((address) => ({ address, jobId: address, amountWei: 7n, blockAtMs: 0 }));
    await dust.add(facts, 1, session, new Set(spending));
  });
  const writes = new FencedWrites(connection, leases, new CursorRepository(connection));
  const settling = new DepositDustService(writes, watches, deposits, dust);
  const state = new ScanState(lease as never, { blocks: [], lastMissedBlock: -1 });
  const asked = vi.spyOn(dust, 'ofPastDays');
  for (let block = 2; block < 12; block++) await settling.ofPastDays(state, blockOf(block, DAY_MS + block * 1000));
  expect(await dust.sumOf(QUIET)).toBe(0n);
  expect(await deposits.hasDustDeposit(QUIET)).toBe(true);
  expect(await dust.sumOf(spending[0] as Address)).toBe(7n);
  expect(asked.mock.calls.length).toBe(4);
  await settling.ofPastDays(state, blockOf(12, 2 * DAY_MS + 1000));
  expect(asked.mock.calls.length).toBe(5);
});
