import { getJobPayment, paymentSeen } from '@maker/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JobStage, startJobStage } from '../job-service.fixture.ts';
import { MOST_CLIENTS_AT_LIMIT } from './begin-jobs.service.ts';

const FLOOD = 6;
/** Limit of all clients together, if each may have one job. */
const MOST = MOST_CLIENTS_AT_LIMIT;
const CREATED_AT_ONCE = 32;

let stage: JobStage;

beforeAll(async () => {
  stage = await startJobStage({ JOB_MOST_UNPAID_JOBS_PER_CLIENT: '1' });
  const others = Array.from({ length: MOST - FLOOD }, (_, index) => `10.0.${index}.1`);
  for (let begun = 0; begun < others.length; begun += CREATED_AT_ONCE) {
    const group = others.slice(begun, begun + CREATED_AT_ONCE);
    await Promise.all(group.map((clientAddress) => stage.create({ clientAddress })));
  }
});

afterAll(() => stage?.stop());

const statusOf = async (jobId: string) => (await stage.client.request(getJobPayment, { jobId })).status;
const unpaid = () => stage.database.collection('jobs').countDocuments({ status: 'pending_payment' });

describe('unpaid jobs at their limit', () => {
  it('evicts the newest job of the largest network', async () => {
    const flood: string[] = [];
    for (let index = 0; index < FLOOD; index += 1) {
      const clientAddress = `2001:db8:1:${(0x100 + index).toString(16)}::/64`;
      flood.push((await stage.create({ clientAddress })).jobId);
    }
    await stage.deliver(paymentSeen, flood[5] as string, { seenWei: '1', revision: 1 });
    const refused = { code: 'TOO_MANY_OPEN_JOBS', message: expect.stringContaining('Very many jobs') };
    await expect(stage.create({ clientAddress: '2001:db8:1:1ff::/64' })).rejects.toMatchObject(refused);

    const other = await stage.create({ clientAddress: '203.0.113.7' });
    expect(await statusOf(flood[4] as string)).toBe('cancelled');
    expect(await statusOf(flood[5] as string)).toBe('pending_payment');
    expect(await statusOf(other.jobId)).toBe('pending_payment');

    const [another, third] = await Promise.all([
      stage.create({ clientAddress: '203.0.113.8' }),
      stage.create({ clientAddress: '198.51.100.1' }),
    ]);
    expect(await statusOf(flood[3] as string)).toBe('cancelled');
    expect(await statusOf(flood[2] as string)).toBe('cancelled');
    expect(await unpaid()).toBe(MOST);
    await expect(stage.create({ clientAddress: '203.0.113.9' })).rejects.toMatchObject(refused);
    for (const { jobId } of [another, third]) expect(await statusOf(jobId)).toBe('pending_payment');
  });
});
