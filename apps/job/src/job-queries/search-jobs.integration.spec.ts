import { randomUUID } from 'node:crypto';
import { paymentReceived, searchJobs } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { metadataHashes } from '../job/metadata-hashes.ts';
import { receivedFixture, stageForFile } from '../job-service.fixture.ts';

const stage = stageForFile();
const { create, deliver } = stage;

/** Jobs that were created at one time. */
const SAME_TIME = 10;

const search = (query: z.input<typeof searchJobs.request>) => stage.client.request(searchJobs, query);
const idsOf = ({ jobs }: { readonly jobs: readonly { readonly jobId: string }[] }) => jobs.map(({ jobId }) => jobId);
const createFor = async (apiKeyName: string, metadata?: Record<string, string>) =>
  (await create({ apiKeyName, ...(metadata && { metadata }) })).jobId;

describe('the list of an API key (docs/adr/0172)', () => {
  it('has its own jobs only, newest first', async () => {
    const shop = `shop-${randomUUID()}`;
    const first = await createFor(shop);
    await createFor('other-shop');
    const second = await createFor(shop);
    expect(idsOf(await search({ apiKeyName: shop }))).toEqual([second, first]);
    expect(idsOf(await search({ apiKeyName: null, limit: 3 }))).toEqual([second, expect.any(String), first]);
    expect(await search({ apiKeyName: 'unknown' })).toEqual({ jobs: [] });
  });

  it('selects by status, time and an entry of metadata', async () => {
    const shop = `shop-${randomUUID()}`;
    const paid = await createFor(shop, { order: 'A-1', zone: 'eu' });
    const unpaid = await createFor(shop, { order: 'A-2', zone: 'eu' });
    await createFor('other-shop', { order: 'A-1' });
    await deliver(paymentReceived, paid, receivedFixture());
    const found = async (query: Omit<z.input<typeof searchJobs.request>, 'apiKeyName'>) =>
      idsOf(await search({ apiKeyName: shop, ...query }));
    expect(await found({ status: 'active' })).toEqual([paid]);
    expect(await found({ metadata: { order: 'A-1' } })).toEqual([paid]);
    expect(await found({ metadata: { zone: 'eu' } })).toEqual([unpaid, paid]);
    expect(await found({ metadata: { zone: 'eu' }, status: 'pending_payment' })).toEqual([unpaid]);
    expect(await found({ metadata: { order: 'eu' } })).toEqual([]);
    const { jobs } = await search({ apiKeyName: shop });
    expect(await found({ createdAfter: jobs[1]?.createdAt ?? '' })).toEqual([unpaid]);
    expect(jobs[1]).toMatchObject({ status: 'active', paymentReceived: true, metadata: { order: 'A-1', zone: 'eu' } });
  });

  it('shows no secret', async () => {
    const shop = `shop-${randomUUID()}`;
    await createFor(shop, { order: 'A-1' });
    expect(JSON.stringify(await search({ apiKeyName: shop }))).not.toMatch(/stop|agreement|hash|idempotency|client/i);
  });

  it('ends a page before its metadata exceed a message', async () => {
    const shop = `shop-${randomUUID()}`;
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, '"'.repeat(500)]));
    const ids = [];
    for (let count = 0; count < 12; count += 1) ids.unshift(await createFor(shop, metadata));
    const first = await search({ apiKeyName: shop, limit: 100 });
    expect(first.jobs.length).toBeLessThan(12);
    const rest = await search({ apiKeyName: shop, limit: 100, after: first.next });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids);
    expect(rest).not.toHaveProperty('next');
  });
});

describe('10,000 jobs of one key', () => {
  const shop = `shop-${randomUUID()}`;
  const jobs = () => stage.database.collection('jobs');

  /** Copies a job 10,000 times; every hundredth copy is completed. */
  const fill = async () => {
    const jobId = await createFor(shop, { zone: 'eu' });
    const row = await jobs().findOne({ _id: jobId as never });
    const copies = Array.from({ length: 10_000 }, (_, index) => ({
      ...row,
      _id: `job_${index.toString(16).padStart(32, '0')}`,
      walletIndex: 1_000_000 + index,
      paymentAddress: `copy ${index}`,
      status: index % 100 === 0 ? 'completed' : 'payment_expired',
      createdAt: new Date(1_000_000 + Math.floor(index / SAME_TIME)),
      metadataHashes: metadataHashes({ zone: 'eu', order: `A-${index}` }),
    }));
    await jobs().insertMany(copies as never[]);
    return jobId;
  };

  it('are paged by one indexed query each', async () => {
    const newest = await fill();
    const database = stage.database.db;
    if (!database) throw new Error('the database is not connected');
    const pages: [Omit<z.input<typeof searchJobs.request>, 'apiKeyName'>, number][] = [
      [{}, 10_001],
      [{ status: 'completed' }, 100],
      [{ metadata: { zone: 'eu' } }, 10_001],
      [{ metadata: { order: 'A-77' } }, 1],
    ];
    for (const [query, size] of pages) {
      const ids: string[] = [];
      let after: string | undefined;
      await database.command({ profile: 2 });
      let count = 0;
      do {
        const page = await search({ apiKeyName: shop, limit: 100, ...query, after });
        ids.push(...idsOf(page));
        after = page.next;
        count += 1;
      } while (after !== undefined && count < 5);
      await database.command({ profile: 0 });
      expect(ids).toHaveLength(Math.min(size, 500));
      expect(new Set(ids).size).toBe(ids.length);
      if (size > 1000) expect(ids[0]).toBe(newest);
      const profile = database.collection('system.profile');
      const reads = await profile.find({ 'command.find': 'jobs' }).toArray();
      const queries = reads.filter(({ command }) => command.filter['idempotency.apiKeyName'] === shop);
      expect(queries).toHaveLength(count);
      for (const { docsExamined, keysExamined, hasSortStage } of queries) {
        // Those of the cursor's own time are read again.
        expect(docsExamined).toBeLessThanOrEqual(101 + SAME_TIME);
        expect(keysExamined).toBeLessThanOrEqual(150);
        expect(hasSortStage).toBeUndefined();
      }
      await profile.drop();
    }
  });
});
