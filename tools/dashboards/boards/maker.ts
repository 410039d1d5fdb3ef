import { type Board, colours, increase, of, rate } from '../board.ts';

/** Jobs are few: a quantile is over all that ended within the time shown. */
const ofEnded = (share: number, figures: string) =>
  `histogram_quantile(${share}, sum by (le, figure) (${increase('maker_quality_jobs_ratio_bucket', `figure=~"${figures}"`)}))`;
const median = (figures: string) => ofEnded(0.5, figures);

export const maker: Board = {
  uid: 'maker-maker',
  title: 'Maker / Orders',
  description: 'What the maker buys and spends, why it waits, and gas against the guardrail.',
  rows: [
    {
      title: 'Orders and spending',
      panels: [
        {
          title: 'Orders',
          description: 'Orders per second: signed, mined, and reverted (failed).',
          unit: 'ops',
          queries: [{ expr: `sum by (status) (${rate('maker_order_orders_total')})`, legend: '{{status}}' }],
        },
        {
          title: 'Reverted orders',
          description: 'Share of mined orders that were reverted. Above 20 %: runbook orders-reverting.',
          unit: 'percentunit',
          min: 0,
          queries: [
            {
              expr: `sum(${rate('maker_order_orders_total', 'status="failed"')}) / sum(${rate('maker_order_orders_total', 'status=~"mined|failed"')})`,
            },
          ],
          thresholds: colours('green', ['red', 0.2]),
        },
        {
          title: 'Spending',
          description: 'HYPE per hour that leaves wallets: fee to the treasury, trades, gas, returns to payers.',
          unit: 'suffix: HYPE/h',
          queries: [
            { expr: `sum by (kind) (${rate('maker_execution_spent_wei_total')}) * 3600 / 1e18`, legend: '{{kind}}' },
          ],
          stacked: true,
        },
      ],
    },
    {
      title: 'Gas and pauses',
      panels: [
        {
          title: 'Gas against the guardrail',
          description: 'Base fee of the newest block, and the price above which no order is placed (10 gwei).',
          unit: 'suffix: gwei',
          queries: [
            { expr: `max(${of('maker_execution_base_fee_wei')}) / 1e9`, legend: 'base fee' },
            { expr: `max(${of('maker_execution_gas_guardrail_wei')}) / 1e9`, legend: 'guardrail' },
          ],
        },
        {
          title: 'Executions that wait',
          description:
            'By why: gas, order cost, price band, thin liquidity, drift or an operator. Runbook executions-paused.',
          unit: 'none',
          queries: [{ expr: `max by (reason) (${of('maker_execution_paused')})`, legend: '{{reason}}' }],
          stacked: true,
        },
        {
          title: 'Longest pause',
          description: 'How long the execution that has waited longest has waited, by why.',
          unit: 's',
          queries: [{ expr: `max by (reason) (${of('maker_execution_longest_pause_seconds')})`, legend: '{{reason}}' }],
        },
      ],
    },
    {
      title: 'How well jobs bought',
      panels: [
        {
          title: 'Where the shortfall came from',
          description:
            "Median over jobs that ended within the time shown, of the tokens' worth at arrival: own impact, drift by others, pool fee, gas, service fee (docs/quality.md).",
          unit: 'percentunit',
          queries: [{ expr: median('impact|drift|pool_fee|gas|service_fee'), legend: '{{figure}}' }],
        },
        {
          title: 'Slippage to quote',
          description:
            'Tokens fewer than quoted, median and worst twentieth of jobs. It stays far below the limit of a per cent.',
          unit: 'percentunit',
          queries: [
            { expr: median('slippage'), legend: 'p50' },
            { expr: ofEnded(0.95, 'slippage'), legend: 'p95' },
          ],
        },
        {
          title: 'Against one swap and against the average',
          description:
            "By how much the median job did better than one swap of the whole budget at its start, and than the pool's average price over the same time; below zero: worse.",
          unit: 'percentunit',
          queries: [{ expr: median('single_swap|twap'), legend: '{{figure}}' }],
        },
      ],
    },
    {
      title: 'Executions',
      panels: [
        {
          title: 'Executions by phase',
          description: 'As the database has them: fee, trading, delivery, return, and how they ended.',
          unit: 'none',
          queries: [{ expr: `max by (phase) (${of('maker_execution_executions')})`, legend: '{{phase}}' }],
        },
        {
          title: 'Behind schedule',
          description: 'How far the execution that is furthest behind its schedule is behind it, by phase.',
          unit: 's',
          queries: [{ expr: `max by (phase) (${of('maker_execution_overdue_seconds')})`, legend: '{{phase}}' }],
        },
        {
          title: 'Faults and refusals',
          description:
            'Failed looks per second (repeated at the next block), and jobs per second that were refused since their wallet is not of this seed.',
          unit: 'ops',
          queries: [
            { expr: `sum(${rate('maker_execution_faults_total')})`, legend: 'failed looks' },
            { expr: `sum(${rate('maker_execution_refused_total')})`, legend: 'refused jobs' },
          ],
        },
      ],
    },
  ],
};
