import { type Board, of, quantile, rate } from '../board.ts';

export const webhooks: Board = {
  uid: 'maker-webhooks',
  title: 'Maker / Webhooks',
  description:
    'What endpoints are told of jobs and their money, and what they have not taken. Empty where nobody is told.',
  rows: [
    {
      title: 'Messages',
      panels: [
        {
          title: 'Not taken',
          description: 'Messages that an endpoint has not taken yet: runbook webhooks-not-taken.',
          unit: 'none',
          queries: [{ expr: `max(${of('maker_webhook_waiting_messages')})`, legend: 'messages' }],
        },
        {
          title: 'Oldest not taken',
          description:
            'For how long the oldest message has waited that an endpoint has not taken. An alert fires from 15 minutes on.',
          unit: 's',
          queries: [{ expr: `max(${of('maker_webhook_oldest_waiting_seconds')})`, legend: 'age' }],
        },
        {
          title: 'Attempts by outcome',
          description: 'Attempts to deliver a message per second, by how they ended.',
          unit: 'ops',
          queries: [{ expr: `sum by (outcome) (${rate('maker_webhook_attempts_total')})`, legend: '{{outcome}}' }],
        },
        {
          title: 'Duration of attempts',
          description: 'Time of an attempt, whatever its end; one is given up after 15 seconds.',
          unit: 's',
          queries: [0.5, 0.99].map((share) => ({
            expr: quantile(share, 'maker_webhook_attempt_duration_seconds'),
            legend: `p${share * 100}`,
          })),
        },
      ],
    },
  ],
};
