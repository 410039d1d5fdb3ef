import { randomUUID } from 'node:crypto';
import { jobStatusChanged } from '@maker/contracts';
import { Connection, inTransaction } from '@maker/persistence';
import { describe, expect, it, vi } from 'vitest';
import { accepts } from '../receiver.fixture.ts';
import {
  ACTIVATED,
  HOUR_MS,
  idsOf,
  MINUTE_MS,
  newJob,
  PATIENT,
  SECOND_MS,
  stageForFile,
} from '../sender-stage.fixture.ts';
import type { Outcome } from './attempt.ts';
import { DeliveriesRepository } from './deliveries.repository.ts';

const stage = stageForFile();
const { allDelivered, attempted, deliveries, endpoints, laterBy } = stage;

describe('nothing is lost', () => {
  it('is retried under the same id after a crash', async () => {
    stage.receiver.behaviour = (response) => response.writeHead(500).end();
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    await attempted('refused');
    // Simulates a claim by a dead process while no sender polls this endpoint.
    await endpoints();
    laterBy(5 * SECOND_MS);
    expect(await stage.senders[0]?.get(DeliveriesRepository).claim(stage.shop)).toBeDefined();
    await endpoints({ name: stage.shop, url: stage.receiver.url, secrets: [stage.secret] });
    stage.receiver.behaviour = accepts;
    laterBy(MINUTE_MS);
    await allDelivered(1);
    expect(idsOf(stage.receiver)).toHaveLength(1);
  });

  /** Records a message for an endpoint that no sender polls. */
  async function unwatched() {
    const [sender] = stage.senders;
    if (!sender) throw new Error('no sender');
    const rows = sender.get(DeliveriesRepository);
    const [endpoint, eventId] = [`unwatched-${stage.shop}`, randomUUID()];
    const message = { id: eventId, type: 'job.status_changed', jobId: newJob(), occurredAt: new Date(), body: '{}' };
    await inTransaction(sender.get(Connection), (session) => rows.record(message, [endpoint], session));
    laterBy(SECOND_MS);
    const claim = async () => {
      const row = await rows.claim(endpoint);
      if (!row) throw new Error('nothing is due');
      return row;
    };
    return { rows, endpoint, eventId, claim };
  }

  const attemptOf = (outcome: Outcome) => ({ outcome, answer: '', tookMs: 1 });

  it('is attempted once per id despite clock skew', async () => {
    const { rows, endpoint, eventId, claim } = await unwatched();
    expect(await claim()).toMatchObject({ eventId, attempts: 1 });
    laterBy(-SECOND_MS);
    await rows.wake(endpoint);
    laterBy(SECOND_MS);
    expect(await rows.claim(endpoint)).toBeUndefined();
  });

  it.each(['delivered', 'refused'] as const)('is resent after an attempt that was %s', async (outcome) => {
    const { rows, endpoint, eventId, claim } = await unwatched();
    const underWay = await claim();
    expect(await rows.redeliver(endpoint, { eventId })).toBe(1);
    expect(await rows.claim(endpoint)).toBeUndefined();
    await rows.end(underWay, attemptOf(outcome));
    const again = await claim();
    expect(again).toMatchObject({ eventId, attempts: 1 });
    await rows.end(again, attemptOf('delivered'));
    const [row] = await rows.list({ endpoint, limit: 1 });
    expect(row?.state).toBe('delivered');
    expect(row?.log.map((each) => each.outcome)).toEqual([outcome, 'delivered']);
    expect(await rows.claim(endpoint)).toBeUndefined();
  });

  it('is resent once during an endless attempt', async () => {
    const { rows, endpoint, eventId, claim } = await unwatched();
    const lost = await claim();
    await rows.redeliver(endpoint, { eventId });
    laterBy(2 * MINUTE_MS);
    const again = await claim();
    // The first attempt ends late: its outcome does not count for the redelivery.
    await rows.end(lost, attemptOf('refused'));
    laterBy(10 * SECOND_MS);
    expect(await rows.claim(endpoint)).toBeUndefined();
    await rows.end(again, attemptOf('delivered'));
    expect(await rows.list({ endpoint, limit: 1 })).toMatchObject([{ state: 'delivered' }]);
    laterBy(2 * MINUTE_MS);
    expect(await rows.claim(endpoint)).toBeUndefined();
  });

  it('is delivered after days of failed attempts', async () => {
    stage.receiver.behaviour = (response) => response.writeHead(500).end();
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    for (let attempts = 1; attempts <= 14; attempts++) {
      await vi.waitFor(() => expect(stage.receiver.received).toHaveLength(attempts), PATIENT);
      await vi.waitFor(async () => expect((await deliveries())[0]?.log).toHaveLength(attempts), PATIENT);
      if (attempts === 14) stage.receiver.behaviour = accepts;
      laterBy(12 * HOUR_MS);
    }
    await allDelivered(1);
    expect(new Set(stage.receiver.received.map(({ body }) => body)).size).toBe(1);
  });
});
