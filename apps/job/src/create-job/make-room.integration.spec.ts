import { getJobPayment, paymentSeen } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JobStage, startJobStage } from '../job-service.fixture.ts';
import { MOST_CLIENTS_AT_LIMIT } from './begin-jobs.service.ts';

const FLOOD = 6;
/** Jobs of the second largest network. */
const NEXT = 3;
/** A tenth of a job's amount, and what an attacker of places would send. */
const TENTH_WEI = parseHype('0.05').toString();
const DUST_WEI = parseHype('0.0003').toString();
/** Limit of all clients together, if each may have one job. */
const MOST = MOST_CLIENTS_AT_LIMIT;
const CREATED_AT_ONCE = 32;

let stage: JobStage;

beforeAll(async () => {
  stage = await startJobStage({ JOB_MOST_UNPAID_JOBS_PER_CLIENT: '1' });
  const others = Array.from({ length: MOST - FLOOD - NEXT }, (_, index) => `10.0.${index}.1`);
  for (let begun = 0; begun < others.length; begun += CREATED_AT_ONCE) {
    const group = others.slice(begun, begun + CREATED_AT_ONCE);
    await Promise.all(group.map((clientAddress) => stage.create({ clientAddress })));
  }
});

afterAll(() => stage?.stop());

const statusOf = async (jobId: string) => (await stage.client.request(getJobPayment, { jobId })).status;
const unpaid = () => stage.database.collection('jobs').countDocuments({ status: 'pending_payment' });

const seen = (jobId: string | undefined, seenWei: string) =>
  stage.deliver(paymentSeen, jobId ?? '', { seenWei, revision: 1 });
const createFrom = async (clientAddress: string) => (await stage.create({ clientAddress })).jobId;
const subnet = (site: number, customer: number) => `2001:db8:${site}:${(0x100 + customer).toString(16)}::/64`;

describe('unpaid jobs at their limit', () => {
  const refused = { code: 'TOO_MANY_OPEN_JOBS', message: expect.stringContaining('Very many jobs') };
  const flood: string[] = [];
  const next: string[] = [];

  it('evicts the newest job of the largest network', async () => {
    while (next.length < NEXT) next.push(await createFrom(subnet(2, next.length)));
    while (flood.length < FLOOD) flood.push(await createFrom(subnet(1, flood.length)));
    await seen(flood[5], TENTH_WEI);
    await seen(flood[4], DUST_WEI);
    await expect(stage.create({ clientAddress: '2001:db8:1:1ff::/64' })).rejects.toMatchObject(refused);

    const other = await createFrom('203.0.113.7');
    expect(await statusOf(flood[4] as string)).toBe('cancelled');
    expect(await statusOf(flood[5] as string)).toBe('pending_payment');
    expect(await statusOf(other)).toBe('pending_payment');

    const [another, third] = await Promise.all([createFrom('203.0.113.8'), createFrom('198.51.100.1')]);
    expect(await statusOf(flood[3] as string)).toBe('cancelled');
    expect(await statusOf(flood[2] as string)).toBe('cancelled');
    expect(await unpaid()).toBe(MOST);
    await expect(stage.create({ clientAddress: '203.0.113.9' })).rejects.toMatchObject(refused);
    for (const jobId of [another, third]) expect(await statusOf(jobId)).toBe('pending_payment');
  });

  it('evicts from the next network when the largest gives none', async () => {
    for (const jobId of [flood[0], flood[1]]) await seen(jobId, TENTH_WEI);
    await createFrom('192.0.2.1');
    expect(await statusOf(next[2] as string)).toBe('cancelled');
    for (const jobId of [flood[0], flood[1], flood[5]]) expect(await statusOf(jobId as string)).toBe('pending_payment');
    expect(await unpaid()).toBe(MOST);
  });
});
