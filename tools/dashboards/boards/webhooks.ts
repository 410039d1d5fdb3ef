import { type Board, of, quantiles, rate, row, sumBy } from '../board.ts';

export const webhooks: Board = {
  uid: 'maker-webhooks',
  title: 'Maker / Webhooks',
  description:
    'Messages to endpoints about jobs and their money, and messages that they have not accepted. Empty without endpoints.',
  rows: [
    row('Messages', {
      'Not taken': {
        description: 'Messages that an endpoint has not accepted yet: runbook webhooks-not-taken.',
        queries: { messages: `max(${of('maker_webhook_waiting_messages')})` },
      },
      'Oldest not taken': {
        description: 'Age of the oldest message that an endpoint has not accepted. An alert fires from 15 minutes on.',
        unit: 's',
        queries: { age: `max(${of('maker_webhook_oldest_waiting_seconds')})` },
      },
      'Attempts by outcome': {
        description: 'Attempts to deliver a message per second, by outcome.',
        unit: 'ops',
        queries: [sumBy('outcome', rate('maker_webhook_attempts_total'))],
      },
      'Duration of attempts': {
        description: 'Duration of an attempt, successful or not; an attempt ends after 15 seconds.',
        unit: 's',
        queries: quantiles([0.5, 0.99], 'maker_webhook_attempt_duration_seconds'),
      },
    }),
  ],
};
