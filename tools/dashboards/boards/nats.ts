import { type Board, colours, maxBy, of, ofServers, p95By, rate, rateOfServers, row, sumBy } from '../board.ts';

export const nats: Board = {
  uid: 'maker-nats',
  title: 'Maker / NATS',
  description:
    'NATS as the services see it, and the servers as prometheus-nats-exporter sees them where the platform runs it.',
  servers: { label: 'NATS in', series: 'nats_varz_connections' },
  rows: [
    row('Connection and requests', [
      {
        title: 'Connected',
        description: '1 while a service is connected. 0: runbook nats-disconnected.',
        min: 0,
        max: 1,
        queries: { '{{job}} {{instance}}': of('maker_nats_connected') },
      },
      {
        title: 'Lost connections',
        description: 'Connections lost per hour. One per service while NATS is upgraded is normal.',
        queries: [sumBy('job', rate('maker_nats_disconnects_total'), ' * 3600')],
      },
      {
        title: 'Requests by end',
        description: 'Requests per second by how they ended; refused is an answer of the product.',
        unit: 'reqps',
        queries: [sumBy('outcome', rate('maker_nats_requests_total'))],
      },
      {
        title: 'Duration by subject',
        description: '95th percentile from question to answer.',
        unit: 's',
        width: 24,
        queries: [p95By('subject', 'maker_nats_request_duration_seconds')],
      },
    ]),
    row('Events', [
      {
        title: 'Outbox age',
        description:
          'Age of the oldest event that is not published; 0 when all are out. Above a minute: runbook outbox-not-published.',
        unit: 's',
        queries: [maxBy('job', of('maker_outbox_age_seconds'))],
        thresholds: colours('green', ['red', 60]),
      },
      {
        title: 'Published',
        description: 'Events per second that JetStream has acknowledged.',
        unit: 'ops',
        queries: [sumBy('type', rate('maker_outbox_published_total'))],
      },
      {
        title: 'Taken in',
        description: 'Deliveries per second by what became of them. Duplicates are harmless, failures are repeated.',
        unit: 'ops',
        queries: [sumBy('job, outcome', rate('maker_events_consumed_total'))],
      },
      {
        title: 'Backlog',
        description:
          'Messages of the durable consumers that are not dealt with. Growing: a consumer fails or is too slow.',
        queries: [maxBy('job, state', of('maker_events_backlog_messages'))],
      },
      {
        title: 'Found by the catch-up',
        description: 'Events per second that JetStream did not deliver. More than a handful: JetStream loses messages.',
        unit: 'ops',
        queries: [sumBy('job', rate('maker_events_recovered_total'))],
      },
      {
        title: 'Dead letters',
        description:
          'Events given up and not yet removed by an operator, new ones within an hour, and events that cannot be published. Runbooks dead-letters, outbox-not-published.',
        queries: {
          '{{job}} waiting': `max by (job) (${of('maker_events_dead_letters_waiting')})`,
          '{{job}} new within an hour': `sum by (job) (increase(${of('maker_events_dead_letters_total')}[1h]))`,
          '{{job}} set aside': `max by (job) (${of('maker_outbox_set_aside_messages')})`,
        },
        thresholds: colours('green', ['red', 1]),
      },
    ]),
    row('Servers, from prometheus-nats-exporter', [
      {
        title: 'Connections to servers',
        description: 'Clients of each server. Each service holds two; a fall to 0 on one server is its restart.',
        queries: { '{{instance}}': ofServers('nats_varz_connections') },
      },
      {
        title: 'Messages through servers',
        description: 'Messages per second that clients send and get, requests and answers included.',
        unit: 'ops',
        queries: {
          in: `sum(${rateOfServers('nats_varz_in_msgs')})`,
          out: `sum(${rateOfServers('nats_varz_out_msgs')})`,
        },
      },
      {
        title: 'Memory of servers',
        description: 'Resident memory of each server.',
        unit: 'bytes',
        queries: { '{{instance}}': ofServers('nats_varz_mem') },
      },
      {
        title: 'Slow consumers',
        description:
          'Clients that each server has cut off, since they did not read fast enough, since its start. Should stand still.',
        queries: { '{{instance}}': ofServers('nats_varz_slow_consumers') },
      },
      {
        title: 'Messages kept',
        description: 'Messages in each stream. EVENTS forgets after 7 days, DEAD_LETTERS after 30.',
        queries: [maxBy('stream_name', ofServers('nats_stream_total_messages'))],
      },
      {
        title: 'Bytes kept',
        description: 'Size of each stream on disk. Must stay below the space that JetStream has.',
        unit: 'bytes',
        queries: [maxBy('stream_name', ofServers('nats_stream_total_bytes'))],
      },
      {
        title: 'Disk of JetStream',
        description:
          'Part of the storage that JetStream may use which it has used. Full, it takes no event. Runbook servers-unwell.',
        unit: 'percentunit',
        min: 0,
        queries: {
          '{{server_name}}': `${ofServers('nats_server_total_message_bytes')} / ${ofServers('nats_server_max_storage')}`,
        },
      },
      {
        title: 'Waiting for consumers',
        description:
          'Messages not yet delivered, and delivered without an answer, by durable consumer; only its leader knows. Compare with the backlog that services report.',
        queries: {
          '{{consumer_name}} waiting': `max by (consumer_name) (${ofServers('nats_consumer_num_pending')})`,
          '{{consumer_name}} unanswered': `max by (consumer_name) (${ofServers('nats_consumer_num_ack_pending')})`,
        },
      },
      {
        title: 'Delivered again',
        description: 'Unanswered messages that were delivered more than once. Rising: a handler fails or is slow.',
        queries: [maxBy('consumer_name', ofServers('nats_consumer_num_redelivered'))],
      },
    ]),
  ],
};
