import { ageOf, type Board, buckets, colours, maxBy, of, p95By, rate, row, sumBy } from '../board.ts';

const FAULTS = 'outcome=~"rate_limited|timeout|error"';

export const rpc: Board = {
  uid: 'maker-rpc',
  title: 'Maker / RPC health',
  description: 'Availability, speed and freshness of the endpoints of the chain.',
  rows: [
    row('Requests', {
      'Requests by service': {
        description: 'Requests to endpoints per second. Public endpoints allow about 100 a minute.',
        unit: 'reqps',
        queries: [sumBy('job', rate('maker_rpc_requests_total'))],
        stacked: true,
      },
      'Faults by service': {
        description:
          'Share of requests that were rate limited, timed out or failed. A revert is an answer. Runbook rpc-failing.',
        unit: 'percentunit',
        min: 0,
        queries: {
          '{{job}}': `sum by (job) (${rate('maker_rpc_requests_total', FAULTS)}) / sum by (job) (${rate('maker_rpc_requests_total')})`,
        },
        thresholds: colours('green', ['red', 0.2]),
      },
      'Faults by kind': {
        description:
          'Faults per second by outcome: after rate_limited get a larger plan, after timeout another endpoint.',
        unit: 'reqps',
        queries: [sumBy('outcome', rate('maker_rpc_requests_total', FAULTS))],
      },
      'Duration by method': {
        description: '95th percentile of the duration of requests, successful or not.',
        unit: 's',
        queries: [p95By('method', 'maker_rpc_request_duration_seconds')],
      },
      'Requests by method': {
        description: 'Requests to endpoints per second, by method.',
        unit: 'reqps',
        queries: [sumBy('method', rate('maker_rpc_requests_total'))],
        stacked: true,
      },
      'Requests by their duration': {
        description: 'Number of requests by duration, over all methods. If traces are exported, points link to them.',
        unit: 's',
        kind: 'heatmap',
        width: 12,
        queries: [buckets('maker_rpc_request_duration_seconds')],
      },
    }),
    row('Endpoints and head', {
      Failover: {
        description:
          'Requests per second by the position of the endpoint in CHAIN_RPC_URLS. Any other than 1 means that 1 failed.',
        unit: 'reqps',
        queries: {
          '{{job}} endpoint {{position}}': `sum by (job, position) (${rate('maker_rpc_endpoint_requests_total')})`,
        },
      },
      'Endpoints not in use': {
        description:
          'Replicas for which an endpoint of CHAIN_RPC_URLS is on another chain or fork, behind, or down. Must be 0. Runbook rpc-endpoint-refused.',
        min: 0,
        queries: {
          '{{job}} endpoint {{position}}: {{state}}': `sum by (job, position, state) (${of('maker_rpc_endpoint_state', 'state=~"wrong_chain|forked|lagging|stale|failing"')})`,
        },
      },
      'Exchanges set aside': {
        description: 'Exchanges that do not match the registry, by service. Must be 0. Runbook exchange-set-aside.',
        min: 0,
        queries: [maxBy('job', of('maker_chain_exchanges', 'state="set_aside"'))],
      },
      'Waiting for a turn': {
        description:
          '95th percentile of the time that requests wait within the limits of the endpoints; given_up were never sent. Runbook rpc-failing.',
        unit: 's',
        queries: [p95By('job, end', 'maker_rpc_wait_seconds')],
      },
      'Age of the head': {
        description:
          'Age of the newest block known to each service. Above a minute the services send nothing. Runbook chain-stalled.',
        unit: 's',
        queries: {
          'maker-executor': ageOf('maker_execution_head_timestamp_seconds'),
          'payment-watcher': ageOf('maker_watcher_cursor_timestamp_seconds'),
        },
        thresholds: colours('green', ['red', 60]),
      },
      'Heads apart': {
        description: 'Difference between the newest blocks of the two services: shows endpoints that lag behind.',
        unit: 'suffix: blocks',
        queries: {
          'executor less watcher': `max(${of('maker_execution_head_block')}) - max(${of('maker_watcher_head_block')})`,
        },
      },
    }),
  ],
};
