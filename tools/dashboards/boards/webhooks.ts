import { type Board, of, quantiles, rate, row, sumBy } from '../board.ts';

export const webhooks: Board = {
  uid: 'maker-webhooks',
  title: 'Maker / Webhooks',
  description:
    'What endpoints are told of jobs and their money, and what they have not taken. Empty where nobody is told.',
  rows: [
    row('Messages', {
      'Not taken': {
        description: 'Messages that an endpoint has not taken yet: runbook webhooks-not-taken.',
        queries: { messages: `max(${of('maker_webhook_waiting_messages')})` },
      },
      'Oldest not taken': {
        description:
          'For how long the oldest message has waited that an endpoint has not taken. An alert fires from 15 minutes on.',
        unit: 's',
        queries: { age: `max(${of('maker_webhook_oldest_waiting_seconds')})` },
      },
      'Attempts by outcome': {
        description: 'Attempts to deliver a message per second, by how they ended.',
        unit: 'ops',
        queries: [sumBy('outcome', rate('maker_webhook_attempts_total'))],
      },
      'Duration of attempts': {
        description: 'Time of an attempt, whatever its end; one is given up after 15 seconds.',
        unit: 's',
        queries: quantiles([0.5, 0.99], 'maker_webhook_attempt_duration_seconds'),
      },
    }),
  ],
};
