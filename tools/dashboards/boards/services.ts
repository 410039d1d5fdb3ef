import { type Board, colours, maxBy, of, p95By, rate, row, sumBy } from '../board.ts';

const COUNT = 'maker_mongo_command_duration_seconds_count';

export const services: Board = {
  uid: 'maker-services',
  title: 'Maker / Services',
  description:
    'Events, NATS and MongoDB as the services see them. For the servers themselves and Node see the boards of their publishers (docs/metrics.md).',
  rows: [
    row('NATS', {
      'Not connected': {
        description: 'Replicas without a connection to NATS. Above 0: runbook nats-disconnected.',
        queries: { '{{job}}': `sum by (job) (1 - ${of('maker_nats_connected')})` },
      },
      'Lost connections': {
        description: 'Connections lost per hour. One per service while NATS is upgraded is normal.',
        queries: [sumBy('job', rate('maker_nats_disconnects_total'), ' * 3600')],
      },
      'Requests by end': {
        description:
          'Requests per second by outcome; refused is an answer of the product. Dropped replies are late, forged or faulty: runbook requests-unanswered.',
        unit: 'reqps',
        queries: [
          sumBy('outcome', rate('maker_nats_requests_total')),
          { expr: `sum by (reason) (${rate('maker_nats_replies_dropped_total')})`, legend: 'dropped: {{reason}}' },
        ],
      },
      'Duration by subject': {
        description: '95th percentile of the time from request to answer.',
        unit: 's',
        queries: [p95By('subject', 'maker_nats_request_duration_seconds')],
      },
    }),
    row('Events', {
      'Outbox age': {
        description:
          'Age of the oldest event that is not yet in the log; 0 when there is none. Above a minute: runbook outbox-not-published.',
        unit: 's',
        queries: [maxBy('job', of('maker_outbox_age_seconds'))],
        thresholds: colours('green', ['red', 60]),
      },
      Published: {
        description: 'Events per second that relays have added to the logs.',
        unit: 'ops',
        queries: [sumBy('type', rate('maker_outbox_published_total'))],
      },
      'Taken in': {
        description: 'Attempts per second by outcome. Duplicates are harmless, failures are repeated.',
        unit: 'ops',
        queries: [sumBy('job, outcome', rate('maker_events_consumed_total'))],
      },
      'Parked events': {
        description:
          'Events that failed eight times, others that wait for another attempt or behind one, and events that no message can carry. Runbook events-parked, runbook outbox-not-published.',
        queries: {
          '{{job}} {{state}}': `max by (job, state) (${of('maker_events_parked_messages')})`,
          '{{job}} set aside': `max by (job) (${of('maker_outbox_set_aside_messages')})`,
        },
        thresholds: colours('green', ['red', 1]),
      },
    }),
    row('MongoDB: commands', {
      'Commands by service': {
        description: 'Commands that each service sends to MongoDB per second.',
        unit: 'ops',
        queries: [sumBy('job', rate(COUNT))],
        stacked: true,
      },
      'Duration by command': {
        description: '95th percentile. A commit waits for a majority of the replica set and its journals.',
        unit: 's',
        queries: [p95By('command', 'maker_mongo_command_duration_seconds')],
      },
      'Refused commands': {
        description: 'Failed commands per second. Some transaction conflicts are normal; the services retry them.',
        unit: 'ops',
        queries: [sumBy('job, command', rate('maker_mongo_command_failures_total'))],
      },
    }),
    row('MongoDB: connections', {
      'Connections in use': {
        description: 'Connections of the pool in use by a command.',
        queries: { '{{job}} {{instance}}': of('maker_mongo_connections_in_use') },
      },
      'No connection': {
        description:
          'Commands that got no connection, and failed checks of servers, per minute. Runbook mongodb-failing.',
        queries: {
          '{{job}} commands': `sum by (job) (${rate('maker_mongo_checkout_failures_total')}) * 60`,
          '{{job}} checks': `sum by (job) (${rate('maker_mongo_heartbeat_failures_total')}) * 60`,
        },
      },
      'Figures that could not be read': {
        description:
          'Readings per minute that failed at a scrape; meanwhile boards show gaps. Runbook readings-failing.',
        queries: [sumBy('job', rate('maker_service_failed_readings_total'), ' * 60')],
      },
    }),
    row('Processes', {
      'Event loop lag': {
        description:
          '99th percentile of the delay of timers, minus the 0.2 s between two measurements. Above half a second: runbook event-loop-blocked.',
        unit: 's',
        queries: { '{{job}} {{instance}}': `clamp_min(${of('nodejs_eventloop_lag_p99_seconds')} - 0.2, 0)` },
        thresholds: colours('green', ['red', 0.5]),
      },
      'Live channels': {
        description: 'Open streams of receipts, jobs in memory of the gateway, and jobs in the queue for a request.',
        queries: {
          streams: `sum(${of('maker_live_streams')})`,
          'jobs in memory': `sum(${of('maker_snapshot_jobs')})`,
          'jobs to be asked for': `sum(${of('maker_snapshot_waiting_jobs')})`,
        },
      },
      'Reads not answered from memory': {
        description: "Share of the gateway's reads that missed its snapshot, by view.",
        unit: 'percentunit',
        queries: {
          '{{view}}': `sum by (view) (${rate('maker_snapshot_reads_total', 'outcome!="hit"')}) / sum by (view) (${rate('maker_snapshot_reads_total')})`,
        },
      },
    }),
  ],
};
