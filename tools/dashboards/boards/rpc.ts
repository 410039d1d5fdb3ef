import { ageOf, type Board, buckets, colours, maxBy, of, p95By, rate, row, sumBy } from '../board.ts';

const FAULTS = 'outcome=~"rate_limited|timeout|error"';

export const rpc: Board = {
  uid: 'maker-rpc',
  title: 'Maker / RPC health',
  description: 'Whether the endpoints of the chain answer, how fast, and how new what they say is.',
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
          'Faults per second by how they ended: rate_limited asks for another plan, timeout for another endpoint.',
        unit: 'reqps',
        queries: [sumBy('outcome', rate('maker_rpc_requests_total', FAULTS))],
      },
      'Duration by method': {
        description: '95th percentile of the time of a request, whatever its end.',
        unit: 's',
        queries: [p95By('method', 'maker_rpc_request_duration_seconds')],
      },
      'Requests by method': {
        description: 'Which methods the requests are for.',
        unit: 'reqps',
        queries: [sumBy('method', rate('maker_rpc_requests_total'))],
        stacked: true,
      },
      'Requests by their duration': {
        description: 'How many requests took how long, of all methods. Points lead to traces, where they are exported.',
        unit: 's',
        kind: 'heatmap',
        width: 12,
        queries: [buckets('maker_rpc_request_duration_seconds')],
      },
    }),
    row('Endpoints and head', {
      Failover: {
        description:
          'Requests per second by the position of the endpoint in CHAIN_RPC_URLS. Any but 1 means that 1 failed.',
        unit: 'reqps',
        queries: {
          '{{job}} endpoint {{position}}': `sum by (job, position) (${rate('maker_rpc_endpoint_requests_total')})`,
        },
      },
      'Endpoints not in use': {
        description:
          'Replicas to which an endpoint of CHAIN_RPC_URLS is of another chain or history, behind, or down. 0 is right. Runbook rpc-endpoint-refused.',
        min: 0,
        queries: {
          '{{job}} endpoint {{position}}: {{state}}': `sum by (job, position, state) (${of('maker_rpc_endpoint_state', 'state=~"wrong_chain|forked|lagging|stale|failing"')})`,
        },
      },
      'Exchanges set aside': {
        description:
          'Exchanges of the registry that are not what it says, by service. 0 is right. Runbook exchange-set-aside.',
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
          'How old the newest block is that each service knows. Above a minute nothing is sent. Runbook chain-stalled.',
        unit: 's',
        queries: {
          'maker-executor': ageOf('maker_execution_head_timestamp_seconds'),
          'payment-watcher': ageOf('maker_watcher_cursor_timestamp_seconds'),
        },
        thresholds: colours('green', ['red', 60]),
      },
      'Heads apart': {
        description: 'Difference of the newest block that the two services know: endpoints that lag behind each other.',
        unit: 'suffix: blocks',
        queries: {
          'executor less watcher': `max(${of('maker_execution_head_block')}) - max(${of('maker_watcher_head_block')})`,
        },
      },
    }),
  ],
};
