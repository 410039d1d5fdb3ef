import { type Board, colours, of, ofServers, quantile, rate, rateOfServers } from '../board.ts';

export const nats: Board = {
  uid: 'maker-nats',
  title: 'Maker / NATS',
  description:
    'NATS as the services see it, and the servers as prometheus-nats-exporter sees them where the platform runs it.',
  servers: { label: 'NATS in', series: 'nats_varz_connections' },
  rows: [
    {
      title: 'Connection and requests',
      panels: [
        {
          title: 'Connected',
          description: '1 while a service is connected. 0: runbook nats-disconnected.',
          unit: 'none',
          min: 0,
          max: 1,
          queries: [{ expr: of('maker_nats_connected'), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Lost connections',
          description: 'Connections lost per hour. One per service while NATS is upgraded is normal.',
          unit: 'none',
          queries: [{ expr: `sum by (job) (${rate('maker_nats_disconnects_total')}) * 3600`, legend: '{{job}}' }],
        },
        {
          title: 'Requests by end',
          description: 'Requests per second by how they ended; refused is an answer of the product.',
          unit: 'reqps',
          queries: [{ expr: `sum by (outcome) (${rate('maker_nats_requests_total')})`, legend: '{{outcome}}' }],
        },
        {
          title: 'Duration by subject',
          description: '95th percentile from question to answer.',
          unit: 's',
          width: 24,
          queries: [
            { expr: quantile(0.95, 'maker_nats_request_duration_seconds', ['subject']), legend: '{{subject}}' },
          ],
        },
      ],
    },
    {
      title: 'Events',
      panels: [
        {
          title: 'Outbox age',
          description:
            'Age of the oldest event that is not published; 0 when all are out. Above a minute: runbook outbox-not-published.',
          unit: 's',
          queries: [{ expr: `max by (job) (${of('maker_outbox_age_seconds')})`, legend: '{{job}}' }],
          thresholds: colours('green', ['red', 60]),
        },
        {
          title: 'Published',
          description: 'Events per second that JetStream has acknowledged.',
          unit: 'ops',
          queries: [{ expr: `sum by (type) (${rate('maker_outbox_published_total')})`, legend: '{{type}}' }],
        },
        {
          title: 'Taken in',
          description: 'Deliveries per second by what became of them. Duplicates are harmless, failures are repeated.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (job, outcome) (${rate('maker_events_consumed_total')})`,
              legend: '{{job}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Backlog',
          description:
            'Messages of the durable consumers that are not dealt with. Growing: a consumer fails or is too slow.',
          unit: 'none',
          queries: [
            { expr: `max by (job, state) (${of('maker_events_backlog_messages')})`, legend: '{{job}} {{state}}' },
          ],
        },
        {
          title: 'Found by the catch-up',
          description:
            'Events per second that JetStream did not deliver. More than a handful: JetStream loses messages.',
          unit: 'ops',
          queries: [{ expr: `sum by (job) (${rate('maker_events_recovered_total')})`, legend: '{{job}}' }],
        },
        {
          title: 'Dead letters',
          description:
            'Events given up and not yet removed by an operator, new ones within an hour, and events that cannot be published. Runbooks dead-letters, outbox-not-published.',
          unit: 'none',
          queries: [
            { expr: `max by (job) (${of('maker_events_dead_letters_waiting')})`, legend: '{{job}} waiting' },
            {
              expr: `sum by (job) (increase(${of('maker_events_dead_letters_total')}[1h]))`,
              legend: '{{job}} new within an hour',
            },
            { expr: `max by (job) (${of('maker_outbox_set_aside_messages')})`, legend: '{{job}} set aside' },
          ],
          thresholds: colours('green', ['red', 1]),
        },
      ],
    },
    {
      title: 'Servers, from prometheus-nats-exporter',
      panels: [
        {
          title: 'Connections to servers',
          description: 'Clients of each server. Each service holds two; a fall to 0 on one server is its restart.',
          unit: 'none',
          queries: [{ expr: ofServers('nats_varz_connections'), legend: '{{instance}}' }],
        },
        {
          title: 'Messages through servers',
          description: 'Messages per second that clients send and get, requests and answers included.',
          unit: 'ops',
          queries: [
            { expr: `sum(${rateOfServers('nats_varz_in_msgs')})`, legend: 'in' },
            { expr: `sum(${rateOfServers('nats_varz_out_msgs')})`, legend: 'out' },
          ],
        },
        {
          title: 'Memory of servers',
          description: 'Resident memory of each server.',
          unit: 'bytes',
          queries: [{ expr: ofServers('nats_varz_mem'), legend: '{{instance}}' }],
        },
        {
          title: 'Slow consumers',
          description:
            'Clients that each server has cut off, since they did not read fast enough, since its start. Should stand still.',
          unit: 'none',
          queries: [{ expr: ofServers('nats_varz_slow_consumers'), legend: '{{instance}}' }],
        },
        {
          title: 'Messages kept',
          description: 'Messages in each stream. EVENTS forgets after 7 days, DEAD_LETTERS after 30.',
          unit: 'none',
          queries: [
            {
              expr: `max by (stream_name) (${ofServers('nats_stream_total_messages')})`,
              legend: '{{stream_name}}',
            },
          ],
        },
        {
          title: 'Bytes kept',
          description: 'Size of each stream on disk. Must stay below the space that JetStream has.',
          unit: 'bytes',
          queries: [
            { expr: `max by (stream_name) (${ofServers('nats_stream_total_bytes')})`, legend: '{{stream_name}}' },
          ],
        },
        {
          title: 'Disk of JetStream',
          description:
            'Part of the storage that JetStream may use which it has used. Full, it takes no event. Runbook servers-unwell.',
          unit: 'percentunit',
          min: 0,
          queries: [
            {
              expr: `${ofServers('nats_server_total_message_bytes')} / ${ofServers('nats_server_max_storage')}`,
              legend: '{{server_name}}',
            },
          ],
        },
        {
          title: 'Waiting for consumers',
          description:
            'Messages not yet delivered, and delivered without an answer, by durable consumer; only its leader knows. Compare with the backlog that services report.',
          unit: 'none',
          queries: [
            {
              expr: `max by (consumer_name) (${ofServers('nats_consumer_num_pending')})`,
              legend: '{{consumer_name}} waiting',
            },
            {
              expr: `max by (consumer_name) (${ofServers('nats_consumer_num_ack_pending')})`,
              legend: '{{consumer_name}} unanswered',
            },
          ],
        },
        {
          title: 'Delivered again',
          description: 'Unanswered messages that were delivered more than once. Rising: a handler fails or is slow.',
          unit: 'none',
          queries: [
            {
              expr: `max by (consumer_name) (${ofServers('nats_consumer_num_redelivered')})`,
              legend: '{{consumer_name}}',
            },
          ],
        },
      ],
    },
  ],
};
