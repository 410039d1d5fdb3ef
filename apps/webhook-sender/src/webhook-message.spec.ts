import { EVENT_TYPES, WEBHOOK_EVENTS } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { messageOf } from './webhook-message.ts';

const event = {
  id: '0f6f4a43-1f5d-4a3e-9d6c-2f1f6f0c9a11',
  type: 'job.activated',
  version: 1,
  occurredAt: '2026-01-01T00:00:00.000Z',
  jobId: `job_${'a'.repeat(32)}`,
  requestId: 'of-the-visitor',
  traceparent: 'of-the-trace',
  data: { walletAddress: '0x1', walletIndex: 7, depositWei: '500' },
};

describe('the message of an event', () => {
  it('has the form of Standard Webhooks, and the event’s id', () => {
    const message = messageOf(event, { apiKeyName: 'shop', metadata: { orderId: '1234' } });
    expect(message).toMatchObject({ id: event.id, type: 'job.activated', jobId: event.jobId });
    expect(JSON.parse(message.body)).toEqual({
      type: 'job.activated',
      timestamp: event.occurredAt,
      data: {
        jobId: event.jobId,
        apiKeyName: 'shop',
        metadata: { orderId: '1234' },
        walletAddress: '0x1',
        depositWei: '500',
      },
    });
  });

  it('reveals neither wallet index nor idempotency key', () => {
    const { body } = messageOf(event, {});
    for (const inside of ['walletIndex', 'requestId', 'of-the-visitor', 'of-the-trace']) {
      expect(body).not.toContain(inside);
    }
  });
});

it('sends every event of jobs and money', () => {
  const published = new Set(WEBHOOK_EVENTS.map(({ contract }) => contract.type));
  expect(EVENT_TYPES.filter((type) => !published.has(type)).sort()).toEqual([
    'execution.cancel_commanded',
    'payment.deadline_passed',
  ]);
});
