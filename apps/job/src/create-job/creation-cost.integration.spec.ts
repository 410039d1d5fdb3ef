import { randomUUID } from 'node:crypto';
import { transactionsOf } from '@maker/messaging/testing';
import { parseHype } from '@maker/rules';
import { mongo as driver } from 'mongoose';
import { describe, expect, it, vi } from 'vitest';
import { PAYMENT_WEI, stageForFile, TOKEN_ADDRESS } from '../job-service.fixture.ts';
import { PlansService } from '../plan/plans.service.ts';
import { BeginJobsService, type BegunJob } from './begin-jobs.service.ts';

const stage = stageForFile();
const { create, rows } = stage;

describe('what a creation costs', () => {
  const began = ['find counters', 'update counters'];
  const written = ['insert jobs', 'insert markets', 'insert audit_entries', 'insert outbox', 'commitTransaction'];

  it('is one transaction that counts no jobs', async () => {
    await create();
    expect(await transactionsOf(stage.database, () => create())).toEqual([...began, ...written]);
  });

  it('is one transaction for concurrent creations', async () => {
    const offer = await stage.service
      .get(PlansService, { strict: false })
      .offer({ tokenAddress: TOKEN_ADDRESS }, BigInt(PAYMENT_WEI));
    const beginning = stage.service.get(BeginJobsService, { strict: false });
    const { paymentAddress: wallet } = await create();
    const key = randomUUID();
    const begin = (differences: { key?: string; hash?: string; returnAddress?: string } = {}) =>
      beginning.begin({
        request: {
          tokenAddress: TOKEN_ADDRESS,
          paymentAmountWei: BigInt(PAYMENT_WEI),
          ...(differences.returnAddress && { returnAddress: differences.returnAddress }),
        },
        claim: differences.key
          ? { apiKeyName: 'web', keyHash: differences.key, requestHash: differences.hash ?? 'same' }
          : undefined,
        offer,
        command: { apiKeyName: 'web' },
      });
    let ends: PromiseSettledResult<BegunJob>[] = [];
    const commands = await transactionsOf(stage.database, async () => {
      ends = await Promise.allSettled([
        ...Array.from({ length: 30 }, () => begin()),
        begin({ key }),
        begin({ returnAddress: wallet.toLowerCase() }),
      ]);
    });
    expect(commands).toEqual(['find counters', 'find jobs', 'find jobs', 'update counters', ...written]);
    const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.job] : []));
    expect(made).toHaveLength(31);
    expect(ends.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'INVALID_REQUEST' } });
    const first = made[0]?.walletIndex ?? 0;
    expect(made.map(({ walletIndex }) => walletIndex)).toEqual(made.map((_, index) => first + index));
    const kept = await rows('jobs', { _id: { $in: made.map(({ jobId }) => jobId) } as never });
    expect(kept).toHaveLength(31);
    const twins = await Promise.allSettled([begin({ key }), begin({ key, hash: 'other' })]);
    expect(twins).toMatchObject([
      { status: 'fulfilled', value: { job: { jobId: made.at(-1)?.jobId } } },
      { status: 'rejected', reason: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    ]);
  });

  it('creates no second job after an unknown commit', async () => {
    const offer = await stage.service
      .get(PlansService, { strict: false })
      .offer({ tokenAddress: TOKEN_ADDRESS }, BigInt(PAYMENT_WEI));
    const beginning = stage.service.get(BeginJobsService, { strict: false });
    const request = { tokenAddress: TOKEN_ADDRESS, paymentAmountWei: BigInt(PAYMENT_WEI) };
    const before = await stage.database.collection('jobs').countDocuments();
    const startSession = stage.database.startSession.bind(stage.database);
    const spy = vi.spyOn(stage.database, 'startSession').mockImplementation(async () => {
      const session = await startSession();
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        throw new driver.MongoError('the answer was lost');
      };
      return session;
    });
    const begin = () => beginning.begin({ request, claim: undefined, offer, command: { apiKeyName: 'web' } });
    const ends = await Promise.allSettled([begin(), begin(), begin()]);
    spy.mockRestore();
    expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(
      Array.from({ length: 3 }, () => 'the answer was lost'),
    );
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before + 3);
    // The metrics do not count these jobs.
    const [oldest] = await rows('jobs', {}).then((all) =>
      all.toSorted((a, b) => b.walletIndex - a.walletIndex).slice(2),
    );
    await stage.database.collection('jobs').deleteMany({ walletIndex: { $gte: oldest?.walletIndex } });
  });

  it('makes one query and one plan for equal requests', async () => {
    const before = stage.validation.reads;
    const plans = stage.service.get(PlansService, { strict: false });
    await Promise.all(
      Array.from({ length: 30 }, () => plans.offer({ tokenAddress: TOKEN_ADDRESS }, BigInt(PAYMENT_WEI))),
    );
    await Promise.all([
      plans.offer({ tokenAddress: TOKEN_ADDRESS }, BigInt(PAYMENT_WEI)),
      plans.offer({ tokenAddress: TOKEN_ADDRESS }, parseHype('1')),
    ]);
    expect(stage.validation.reads - before).toBe(2);
  });
});
