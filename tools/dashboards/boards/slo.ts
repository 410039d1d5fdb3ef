import { type Board, of } from '../board.ts';

const IN_NAMESPACE = '{namespace=~"$namespace"}';
const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];

export const slo: Board = {
  uid: 'maker-slo',
  title: 'Maker / SLO',
  description:
    'What was promised: 99.9 % of API requests answered, 99 % of them within half a second, every payment seen within ten blocks, every paid job executed.',
  rows: [
    {
      title: 'Promises over 30 days',
      panels: [
        {
          title: 'API requests answered',
          description: 'Share without a 5xx over 30 days. Promised: 99.9 %.',
          unit: 'percentunit',
          kind: 'stat',
          width: 6,
          decimals: 3,
          queries: [{ expr: `1 - maker:http_errors:ratio_rate30d${IN_NAMESPACE}`, legend: '{{namespace}}' }],
          thresholds: [
            { color: 'red', value: null },
            { color: 'green', value: 0.999 },
          ],
        },
        {
          title: 'Error budget left',
          description: 'Part of the 0.1 % of failures that is not used up over 30 days.',
          unit: 'percentunit',
          kind: 'stat',
          width: 6,
          decimals: 1,
          queries: [{ expr: `1 - maker:http_errors:ratio_rate30d${IN_NAMESPACE} / 0.001`, legend: '{{namespace}}' }],
          thresholds: [
            { color: 'red', value: null },
            { color: 'orange', value: 0 },
            { color: 'green', value: 0.25 },
          ],
        },
        {
          title: 'API requests in time',
          description: 'Share of reads answered within half a second over 30 days. Promised: 99 %.',
          unit: 'percentunit',
          kind: 'stat',
          width: 6,
          decimals: 3,
          queries: [{ expr: `1 - maker:http_slow:ratio_rate30d${IN_NAMESPACE}`, legend: '{{namespace}}' }],
          thresholds: [
            { color: 'red', value: null },
            { color: 'green', value: 0.99 },
          ],
        },
        {
          title: 'Payments seen within ten blocks',
          description: 'Share of deposits over 30 days. Payments are few, so each late one also alerts by itself.',
          unit: 'percentunit',
          kind: 'stat',
          width: 6,
          decimals: 2,
          queries: [
            {
              expr: `sum(increase(${of('maker_payment_detection_lag_blocks_bucket', 'le="10"')}[30d])) / sum(increase(${of('maker_payment_detection_lag_blocks_count')}[30d]))`,
            },
          ],
          thresholds: [
            { color: 'red', value: null },
            { color: 'green', value: 0.999 },
          ],
        },
      ],
    },
    {
      title: 'Burn',
      panels: [
        {
          title: 'Error budget burn',
          description:
            'How many times faster than allowed errors come, by window. 14.4 over 1 h and 5 min pages. Runbook api-error-budget.',
          unit: 'suffix:×',
          width: 12,
          queries: WINDOWS.map((window) => ({
            expr: `maker:http_errors:ratio_rate${window}${IN_NAMESPACE} / 0.001`,
            legend: `{{namespace}} ${window}`,
          })),
          thresholds: [
            { color: 'green', value: null },
            { color: 'orange', value: 1 },
            { color: 'red', value: 14.4 },
          ],
        },
        {
          title: 'Latency budget burn',
          description: 'How many times faster than allowed slow answers come, by window. Runbook api-latency-budget.',
          unit: 'suffix:×',
          width: 12,
          queries: ['5m', '1h', '2h', '1d'].map((window) => ({
            expr: `maker:http_slow:ratio_rate${window}${IN_NAMESPACE} / 0.01`,
            legend: `{{namespace}} ${window}`,
          })),
          thresholds: [
            { color: 'green', value: null },
            { color: 'orange', value: 1 },
            { color: 'red', value: 14.4 },
          ],
        },
      ],
    },
    {
      title: 'Paid jobs',
      panels: [
        {
          title: 'Ends of paid jobs',
          description: 'Paid jobs that ended within 30 days, by how. failed_technical is never acceptable.',
          unit: 'none',
          kind: 'bargauge',
          width: 12,
          decimals: 0,
          queries: [
            {
              expr: `sum by (to) (increase(${of('maker_job_transitions_total', 'from="active"')}[30d]))`,
              legend: '{{to}}',
            },
          ],
        },
        {
          title: 'Requests counted',
          description: 'API requests per second that the promises are about; with few, one failure is a large share.',
          unit: 'reqps',
          width: 12,
          queries: [{ expr: `maker:http_requests:rate5m${IN_NAMESPACE}`, legend: '{{namespace}}' }],
        },
      ],
    },
  ],
};
