import { randomUUID } from 'node:crypto';
import {
  executionCancelCommanded,
  executionCompleted,
  executionFailed,
  executionPaused,
  getJobPayment,
  getJobStatus,
  getJobTimeline,
  getStats,
  JOB_CHANGES_SUBJECT,
  type JobChanges,
  listJobs,
  listOperatorActions,
  paymentDeadlinePassed,
  paymentReceived,
  paymentSeen,
  paymentTokensFound,
  recordOperatorAction,
  transferSettled,
} from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { parseHype } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it, vi } from 'vitest';
import { JobStatisticsRepository } from '../job/job-statistics.repository.ts';
import {
  BY,
  completionFixture,
  PAYER_ADDRESS,
  PAYMENT_WEI,
  receivedFixture,
  stageForFile,
} from '../job-service.fixture.ts';

const stage = stageForFile();
const { create, deliver, rows } = stage;

describe('requests of operators (design § 4)', () => {
  it('shows a job’s timeline in order', async () => {
    const { jobId } = await create();
    await deliver(paymentReceived, jobId, receivedFixture());
    await deliver(executionPaused, jobId, { reason: 'gas_guardrail' });
    const fee = { kind: 'fee' as const, succeeded: true, transactionHash: `0x${'e'.repeat(64)}`, to: PAYER_ADDRESS };
    await deliver(transferSettled, jobId, { ...fee, amount: '7', gasWei: '1', blockNumber: 9 });
    await deliver(executionCompleted, jobId, completionFixture);
    const { timeline, job } = await stage.client.request(getJobTimeline, { jobId });
    expect(job).toMatchObject({ status: 'completed', walletIndex: expect.any(Number), returnAddress: PAYER_ADDRESS });
    expect(timeline.map(({ action }) => action)).toEqual([
      'job.created',
      'deposit.credited',
      'job.status_changed',
      'execution.paused',
      'transfer.settled',
      'job.status_changed',
    ]);
    expect(timeline[1]?.details).toMatchObject({
      amountWei: PAYMENT_WEI,
      inTime: true,
      underpaid: false,
      from: PAYER_ADDRESS,
    });
    expect(timeline[4]?.details).toMatchObject({ kind: 'fee', amount: '7' });
  });

  it('shows no found token after its final release', async () => {
    const { jobId } = await create();
    const token = { tokenAddress: `0x${'55'.repeat(20)}`, amount: '7', symbol: 'WHYPE', decimals: 18 };
    await deliver(paymentTokensFound, jobId, { tokens: [token], searchedAt: new Date(1).toISOString() });
    const view = async () => (await stage.client.request(getJobTimeline, { jobId })).job;
    expect((await view()).foundTokens).toEqual([token]);
    const release = { kind: 'delivery' as const, succeeded: true, transactionHash: `0x${'e'.repeat(64)}` };
    const settled = { ...release, to: token.tokenAddress, amount: '0', gasWei: '1', blockNumber: 9 };
    await deliver(transferSettled, jobId, settled);
    expect(await view()).not.toHaveProperty('foundTokens');
    expect(await stage.client.request(getJobPayment, { jobId })).not.toHaveProperty('foundTokens');
  });

  it('lists jobs newest first, by status and page', async () => {
    const first = await create();
    const second = await create();
    const { jobs } = await stage.client.request(listJobs, { status: 'pending_payment', limit: 2 });
    expect(jobs.map(({ jobId }) => jobId)).toEqual([second.jobId, first.jobId]);
    const page = await stage.client.request(listJobs, { before: jobs[1]?.createdAt ?? '', limit: 1 });
    expect(page.jobs[0]?.jobId).not.toBe(first.jobId);
  });

  it('cancels an unpaid job immediately, an active one settled', async () => {
    const unpaid = (await create()).jobId;
    await deliver(paymentReceived, unpaid, receivedFixture({ amountWei: '5' }));
    await deliver(executionCancelCommanded, unpaid, BY);
    expect(await stage.client.request(getJobStatus, { jobId: unpaid })).toMatchObject({
      status: 'cancelled',
      returns: [{ status: 'due', to: PAYER_ADDRESS }],
    });
    await deliver(executionCancelCommanded, unpaid, BY);
    expect(await stage.client.request(getJobStatus, { jobId: unpaid })).toMatchObject({ status: 'cancelled' });

    const active = (await create()).jobId;
    await deliver(paymentReceived, active, receivedFixture());
    await deliver(executionCancelCommanded, active, BY);
    expect(await stage.client.request(getJobStatus, { jobId: active })).toMatchObject({ status: 'active' });
    expect(await rows('outbox', { jobId: active, type: 'job.cancel_requested' })).toHaveLength(1);
    const end = {
      reason: 'cancelled' as const,
      message: 'the job was cancelled',
      ordersPlaced: 3,
      returnedWei: '5',
    };
    await deliver(executionFailed, active, end);
    const cancelled = { status: 'cancelled', failureReason: 'An operator cancelled this job' };
    expect(await stage.client.request(getJobStatus, { jobId: active })).toMatchObject(cancelled);
  });

  it('records every command before and after it', async () => {
    const { jobId } = await create();
    const command = {
      actionId: randomUUID(),
      action: 'pause' as const,
      jobId,
      operator: 'anna',
      reason: 'price looks odd',
    };
    await stage.client.request(recordOperatorAction, { ...command, kind: 'ordered' });
    await stage.client.request(recordOperatorAction, { ...command, kind: 'done', outcome: 'nothing is signed' });
    const { actions } = await stage.client.request(listOperatorActions, { limit: 2 });
    expect(actions).toMatchObject([
      { ...command, kind: 'done', outcome: 'nothing is signed' },
      { ...command, kind: 'ordered' },
    ]);
    const { timeline } = await stage.client.request(getJobTimeline, { jobId });
    expect(timeline.at(-1)).toMatchObject({
      action: 'operator.pause',
      cause: 'api key anna',
      details: { kind: 'done', reason: 'price looks odd' },
    });
    const query = {
      actionId: randomUUID(),
      kind: 'looked_up' as const,
      action: 'show' as const,
      jobId,
      operator: 'bob',
    };
    await stage.client.request(recordOperatorAction, query);
    expect((await stage.client.request(listOperatorActions, { limit: 1 })).actions).toMatchObject([query]);
    expect((await stage.client.request(getJobTimeline, { jobId })).timeline).toEqual(timeline);
    const about = { ...command, jobId: `job_${'0'.repeat(32)}`, actionId: randomUUID(), kind: 'ordered' as const };
    await expect(stage.client.request(recordOperatorAction, about)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});

describe('the feed of changes (docs/adr/0031)', () => {
  /** Messages of the feed during `work`, and of half a second after it. */
  async function publishedDuring(work: () => Promise<unknown>): Promise<JobChanges[]> {
    const messages: JobChanges[] = [];
    const connection = stage.service.get<NatsConnection>(NATS_CONNECTION, { strict: false });
    const subscription = connection.subscribe(JOB_CHANGES_SUBJECT, {
      callback: (_, message) => {
        messages.push(message.json());
      },
    });
    await vi.waitUntil(() => messages.length > 0, { timeout: 10_000 });
    await work();
    const { length } = messages;
    await vi.waitUntil(() => messages.length > length + 2, { timeout: 10_000 });
    subscription.unsubscribe();
    return messages;
  }

  it('names each rewritten job and its status change', async () => {
    let jobId = '';
    const creation = await publishedDuring(async () => {
      jobId = (await create()).jobId;
    });
    const about = (messages: readonly JobChanges[]) => messages.filter(({ jobIds }) => jobIds.includes(jobId));
    expect(about(creation)).toEqual([]);
    const seen = await publishedDuring(() => deliver(paymentSeen, jobId, { seenWei: '1', revision: 1 }));
    expect(about(seen)).toMatchObject([{ statusChanged: false }]);
    const paid = await publishedDuring(() => deliver(paymentReceived, jobId, receivedFixture()));
    expect(about(paid)).toMatchObject([{ statusChanged: true }]);
  });

  it('numbers messages without a gap and sends heartbeats', async () => {
    const messages = await publishedDuring(async () => undefined);
    const [first] = messages;
    expect(messages.map(({ feed, sequence }) => ({ feed, sequence }))).toEqual(
      messages.map((_, index) => ({ feed: first?.feed, sequence: (first?.sequence ?? 0) + index })),
    );
    expect(messages.flatMap(({ jobIds }) => jobIds)).toEqual([]);
    expect(messages.some(({ ageMs }) => ageMs < 250)).toBe(true);
  });
});

describe('queries', () => {
  it('refuse an unknown job', async () => {
    const jobId = `job_${'0'.repeat(32)}`;
    await expect(stage.client.request(getJobPayment, { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(stage.client.request(getJobStatus, { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('count active jobs and name the latest paid token', async () => {
    const { jobs } = await stage.client.request(getStats, {});
    const latest = `0x${'7'.repeat(40)}` as const;
    const { jobId } = await create({ tokenAddress: latest });
    await deliver(paymentReceived, jobId, receivedFixture());
    await create({ tokenAddress: `0x${'6'.repeat(40)}` });
    expect(await stage.client.request(getStats, {})).toEqual({
      jobs: { active: jobs.active + 1 },
      latestJob: { tokenAddress: latest },
    });
  });

  it('name no token that only the canary paid for (docs/adr/0035)', async () => {
    const before = await stage.client.request(getStats, {});
    const { jobId } = await create({
      tokenAddress: `0x${'5'.repeat(40)}`,
      apiKeyName: 'canary',
    });
    await deliver(paymentReceived, jobId, receivedFixture());
    const { jobs, latestJob } = await stage.client.request(getStats, {});
    // The canary's job counts as active.
    expect(jobs.active).toBe(before.jobs.active + 1);
    expect(latestJob).toEqual(before.latestJob);
  });

  it('expose stored and committed counts as metrics', async () => {
    const metrics = await stage.service.get(MetricsRegistry, { strict: false }).metrics();
    const active = (await stage.client.request(getStats, {})).jobs.active;
    const transitions = await stage.database.collection('audit_entries').countDocuments({ to: 'completed' });
    expect(metrics).toContain(`maker_job_transitions_total{from="active",to="completed"} ${transitions}`);
    expect(metrics).toContain(`maker_job_created_total ${await stage.database.collection('jobs').countDocuments()}`);
    expect(metrics).toContain(
      `maker_job_deposits_total{kind="transfer"} ${await stage.database.collection('deposits').countDocuments({ kind: 'transfer' })}`,
    );
    expect(metrics).toMatch(new RegExp(`maker_job_jobs\\{status="active"\\} ${active}`));
  });

  it('show unclaimed and late money', async () => {
    const TENTH = parseHype('0.1').toString();
    const statistics = stage.service.get(JobStatisticsRepository, { strict: false });
    const before = await statistics.read();
    const unclaimed = async (reason: 'never_activated' | 'after_end') =>
      ((await statistics.read()).unclaimedWei.get(reason) ?? 0) - (before.unclaimedWei.get(reason) ?? 0);
    const deadlinePassed = { blockNumber: 9, blockAt: new Date().toISOString() };

    const underpaid = (await create()).jobId;
    await deliver(paymentReceived, underpaid, receivedFixture({ amountWei: TENTH }));
    expect(await unclaimed('never_activated')).toBe(0);
    await deliver(paymentDeadlinePassed, underpaid, { ...deadlinePassed, receivedWei: TENTH });
    expect(await unclaimed('never_activated')).toBeCloseTo(1e17, -3);

    const ended = (await create()).jobId;
    await deliver(paymentReceived, ended, receivedFixture());
    await deliver(executionFailed, ended, { reason: 'technical', message: 'm', ordersPlaced: 0, returnedWei: '0' });
    const nextDay = new Date(Date.now() + 86_400_000).toISOString();
    await deliver(paymentReceived, ended, receivedFixture({ amountWei: TENTH, blockAt: nextDay }));
    expect(await unclaimed('after_end')).toBeCloseTo(1e17, -3);
    expect((await statistics.read()).flagged.get('underpaid')).toBe((before.flagged.get('underpaid') ?? 0) + 1);
  });
});
