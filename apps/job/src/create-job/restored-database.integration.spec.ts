import { deriveAddress } from '@maker/signing/derivation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobStage, startJobStage } from '../job-service.fixture.ts';
import { TEST_XPUB } from '../plan/market.fixture.ts';

let stage: JobStage;

beforeEach(async () => {
  stage = await startJobStage();
});

afterEach(() => stage?.stop());

type Rows = readonly Record<string, unknown>[];

async function backUp(): Promise<ReadonlyMap<string, Rows>> {
  const collections = (await stage.database.db?.listCollections().toArray()) ?? [];
  const rows = new Map<string, Rows>();
  for (const { name } of collections) rows.set(name, await stage.database.collection(name).find().toArray());
  return rows;
}

async function restore(backup: ReadonlyMap<string, Rows>): Promise<void> {
  const collections = (await stage.database.db?.listCollections().toArray()) ?? [];
  for (const { name } of collections) {
    await stage.database.collection(name).deleteMany({});
    const rows = backup.get(name) ?? [];
    if (rows.length > 0) await stage.database.collection(name).insertMany([...rows] as never[]);
  }
}

const addressOfNew = async () => (await stage.create()).paymentAddress;

describe('a job database that is restored to an older point', () => {
  it('gives no address twice, with or without a restart', { timeout: 120_000 }, async () => {
    const empty = await backUp();
    const given = [await addressOfNew(), await addressOfNew()];
    expect(given).toEqual([deriveAddress(TEST_XPUB, 0), deriveAddress(TEST_XPUB, 1)]);
    await restore(empty);
    given.push(await addressOfNew(), await addressOfNew());
    await restore(empty);
    await stage.restart();
    given.push(await addressOfNew(), await addressOfNew());
    const used = await backUp();
    given.push(await addressOfNew());
    await restore(used);
    given.push(await addressOfNew());
    await stage.restart();
    given.push(await addressOfNew());
    await restore(empty);
    await stage.restart();
    given.push(await addressOfNew());
    expect(new Set(given).size).toBe(given.length);
  });

  it('keeps the index by which the address is derived', async () => {
    await stage.create();
    await stage.restart();
    const { jobId, paymentAddress } = await stage.create();
    const [row] = await stage.database
      .collection('jobs')
      .find({ _id: jobId as never })
      .toArray();
    expect(row?.walletIndex).toBeGreaterThan(2 ** 32);
    expect(deriveAddress(TEST_XPUB, row?.walletIndex)).toBe(paymentAddress);
  });
});
