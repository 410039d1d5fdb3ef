import { makePlan, paymentReceived } from '@maker/contracts';
import { Clock } from '@maker/service-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type JobStage, PAYMENT_WEI, receivedFixture, startJobStage } from '../job-service.fixture.ts';

const DAYS_3 = 72 * 3_600_000;

let stage: JobStage;

beforeAll(async () => {
  stage = await startJobStage();
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => stage?.stop());

/** Makes the clock of the job service differ from the chain's. */
function skewClock(byMs: number): void {
  vi.spyOn(stage.service.get(Clock, { strict: false }), 'now').mockImplementation(() => Date.now() + byMs);
}

describe.each([
  ['72 h behind', -DAYS_3],
  ['72 h ahead', DAYS_3],
])('with the service clock %s', (_name, skewMs) => {
  it('starts the plan at the block time of the payment', async () => {
    skewClock(skewMs);
    const { jobId } = await stage.create();
    const blockAt = new Date().toISOString();
    await stage.deliver(paymentReceived, jobId, receivedFixture({ blockAt }));
    const [row] = await stage.database
      .collection('jobs')
      .find({ _id: jobId as never })
      .toArray();
    expect(row).toMatchObject({ status: 'active', plan: { startsAt: blockAt } });
    const [activated] = await stage.database.collection('outbox').find({ jobId, type: 'job.activated' }).toArray();
    const latestEndMs = Date.parse(activated?.data.plan.latestEndAt);
    expect(latestEndMs).toBeGreaterThan(Date.parse(blockAt));
    expect(latestEndMs).toBeLessThan(Date.parse(blockAt) + DAYS_3);
  });

  it('starts at the time of the chain', async () => {
    skewClock(skewMs);
    const before = Date.now();
    const request = { tokenAddress: `0x${'1'.repeat(40)}`, paymentAmountWei: PAYMENT_WEI };
    const { startsAt } = await stage.client.request(makePlan, request);
    expect(Date.parse(startsAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(startsAt)).toBeLessThanOrEqual(Date.now());
  });
});
