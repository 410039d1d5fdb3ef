import { openDatabases, type TestDatabases } from '@maker/local-stack';
import type { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MongoWindows } from './claimed-windows.ts';

const WINDOW_MS = 60_000;

let mongo: TestDatabases;
let replicas: { client: MongoClient; windows: MongoWindows }[];

beforeAll(async () => {
  mongo = openDatabases();
  replicas = [1, 2, 3].map(() => MongoWindows.open(mongo.urlOf('api_gateway')));
});

afterAll(async () => {
  await Promise.all((replicas ?? []).map(({ windows }) => windows.close()));
  await mongo?.stop();
});

const claimOf = (replica: number, key: string, limit: number, windowMs = WINDOW_MS) => {
  const windows = replicas[replica % replicas.length]?.windows;
  if (!windows) throw new Error('there is no replica');
  return windows.claim(key, limit, windowMs);
};

describe('windows that replicas share', () => {
  it('grants exactly the limit to concurrent claims', async () => {
    const claims = await Promise.all(Array.from({ length: 200 }, (_, index) => claimOf(index, 'parallel', 100)));
    expect(claims.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
    expect(Math.max(...claims.map(({ claimed }) => claimed))).toBe(100);
  });

  it('grants a fortieth of the rest, then one each', async () => {
    expect(await claimOf(0, 'share', 600)).toMatchObject({ granted: 15, claimed: 15 });
    expect(await claimOf(1, 'share', 600)).toMatchObject({ granted: 14, claimed: 29 });
    expect(await claimOf(0, 'few', 20)).toMatchObject({ granted: 1, claimed: 1 });
  });

  it('restart after their end, by the database’s clock', async () => {
    const first = await claimOf(0, 'short', 1, 300);
    expect(first.granted).toBe(1);
    expect(first.leftMs).toBe(300);
    expect((await claimOf(1, 'short', 1, 300)).granted).toBe(0);
    await expect.poll(async () => (await claimOf(1, 'short', 1, 300)).granted, { timeout: 5000 }).toBe(1);
  });

  it('free the limit at its pace after a full burst', async () => {
    const [{ client, windows }] = replicas as [(typeof replicas)[number]];
    const claim = (needed: number) => windows.claim('burst', 100, 2000, needed);
    expect(await claim(100)).toMatchObject({ granted: 100, claimed: 100 });
    const refused = await claim(100);
    expect(refused.granted).toBe(0);
    await client
      .db()
      .collection<{ _id: string }>('rate_limit_windows')
      .updateOne({ _id: 'burst' }, [
        // The window ended just now.
        { $set: { endsAt: '$$NOW', expiresAt: { $add: ['$$NOW', 2000] } } },
      ]);
    const next = await claim(100);
    // Its age in parts of a window, and one request for rounding.
    const freed = 100 * ((2000 - next.leftMs) / 2000) + 1;
    expect(next.granted).toBeLessThanOrEqual(freed);
  });

  it('expires in the database and holds no address', async () => {
    const windows = replicas[0]?.client.db().collection('rate_limit_windows');
    const ttl = async () => (await windows?.indexes())?.find(({ key }) => 'expiresAt' in key)?.expireAfterSeconds;
    await expect.poll(ttl).toBe(0);
    expect(Object.keys((await windows?.findOne({})) ?? {}).sort()).toEqual(
      ['_id', 'claimed', 'claimedAt', 'endsAt', 'expiresAt', 'granted', 'previous'].sort(),
    );
  });
});
