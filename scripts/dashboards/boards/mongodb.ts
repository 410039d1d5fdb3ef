import { type Board, of, quantile, rate } from '../board.ts';

const COUNT = 'maker_mongo_command_duration_seconds_count';

export const mongodb: Board = {
  uid: 'maker-mongodb',
  title: 'Maker / MongoDB',
  description:
    'MongoDB as the services see it. For the servers themselves use the boards of the MongoDB exporter in your cluster.',
  rows: [
    {
      title: 'Commands',
      panels: [
        {
          title: 'Commands by service',
          description: 'Commands that each service sends to MongoDB per second.',
          unit: 'ops',
          queries: [{ expr: `sum by (job) (${rate(COUNT)})`, legend: '{{job}}' }],
          stacked: true,
        },
        {
          title: 'Duration by command',
          description: '95th percentile. A commit waits for a majority of the replica set and its journals.',
          unit: 's',
          queries: [
            { expr: quantile(0.95, 'maker_mongo_command_duration_seconds', ['command']), legend: '{{command}}' },
          ],
        },
        {
          title: 'Refused commands',
          description: 'Commands per second that failed. Some conflicts of transactions are normal and tried again.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (job, command) (${rate('maker_mongo_command_failures_total')})`,
              legend: '{{job}} {{command}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Connections',
      panels: [
        {
          title: 'Connections in use',
          description: 'Connections of the pool that a command holds now.',
          unit: 'none',
          queries: [{ expr: of('maker_mongo_connections_in_use'), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'No connection',
          description:
            'Commands that got no connection, and failed checks of servers, per minute. Runbook mongodb-failing.',
          unit: 'none',
          queries: [
            { expr: `sum by (job) (${rate('maker_mongo_checkout_failures_total')}) * 60`, legend: '{{job}} commands' },
            { expr: `sum by (job) (${rate('maker_mongo_heartbeat_failures_total')}) * 60`, legend: '{{job}} checks' },
          ],
        },
        {
          title: 'Figures that could not be read',
          description:
            'Readings per minute that failed at a scrape: while they do, boards show gaps. Runbook readings-failing.',
          unit: 'none',
          queries: [{ expr: `sum by (job) (${rate('maker_service_failed_readings_total')}) * 60`, legend: '{{job}}' }],
        },
      ],
    },
  ],
};
