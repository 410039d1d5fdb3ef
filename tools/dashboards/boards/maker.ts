import { type Board, colours, increase, maxBy, of, rate, row, rowOf, sumBy } from '../board.ts';

/** Mean over the jobs that ended within the time shown: the buckets are too wide for a quantile of a few jobs. */
const mean = (figures: string) =>
  `sum by (figure) (${increase('maker_quality_jobs_ratio_sum', `figure=~"${figures}"`)}) / sum by (figure) (${increase('maker_quality_jobs_ratio_count', `figure=~"${figures}"`)})`;

/** Share of jobs whose figure is at most a bound. A sum of figures that may be negative is no counter, so it has no mean. */
const share = (figure: string, bound: string) =>
  `sum(${increase('maker_quality_jobs_ratio_bucket', `figure="${figure}",le="${bound}"`)}) / sum(${increase('maker_quality_jobs_ratio_count', `figure="${figure}"`)})`;

const worse = (figure: string) => share(figure, '-0.001');

export const maker: Board = {
  uid: 'maker-maker',
  title: 'Maker / Orders',
  description: 'Orders and spending of the maker, its pauses, and gas against the guardrail.',
  rows: [
    row('Orders and spending', {
      Orders: {
        description: 'Orders per second: signed, mined, and reverted (failed).',
        unit: 'ops',
        queries: [sumBy('status', rate('maker_order_orders_total'))],
      },
      'Reverted orders': {
        description: 'Share of mined orders that were reverted. Above 20 %: runbook orders-reverting.',
        unit: 'percentunit',
        min: 0,
        queries: [
          `sum(${rate('maker_order_orders_total', 'status="failed"')}) / sum(${rate('maker_order_orders_total', 'status=~"mined|failed"')})`,
        ],
        thresholds: colours('green', ['red', 0.2]),
      },
      Spending: {
        description: 'HYPE per hour that leaves wallets: fee to the treasury, trades, gas, returns to payers.',
        unit: 'suffix: HYPE/h',
        queries: [sumBy('kind', rate('maker_execution_spent_wei_total'), ' * 3600 / 1e18')],
        stacked: true,
      },
    }),
    row('Gas and pauses', {
      'Gas against the guardrail': {
        description: 'Base fee of the newest block, and the price above which no order is placed (10 gwei).',
        unit: 'suffix: gwei',
        queries: {
          'base fee': `max(${of('maker_execution_base_fee_wei')}) / 1e9`,
          guardrail: `max(${of('maker_execution_gas_guardrail_wei')}) / 1e9`,
        },
      },
      'Executions that wait': {
        description:
          'By reason: gas, order cost, price band, thin liquidity, drift or an operator. Runbook executions-paused.',
        queries: [maxBy('reason', of('maker_execution_paused'))],
        stacked: true,
      },
      'Longest pause': {
        description: 'Longest pause of an execution, by reason.',
        unit: 's',
        queries: [maxBy('reason', of('maker_execution_longest_pause_seconds'))],
      },
    }),
    rowOf({ unit: 'percentunit' }, 'How well jobs bought', {
      'Where the shortfall came from': {
        description:
          "Mean over jobs that completed within the time shown, of the tokens' worth at arrival: own impact, pool fee, gas, service fee (docs/quality.md).",
        queries: { '{{figure}}': mean('impact|pool_fee|gas|service_fee') },
      },
      'Slippage to quote': {
        description:
          'Tokens fewer than quoted, mean over jobs that completed within the time shown. It stays far below the limit of 1 %.',
        queries: { '{{figure}}': mean('slippage') },
      },
      'Jobs that did worse than they could': {
        description:
          "Share of jobs that completed within the time shown and bought 0.1 % less than one swap of the whole budget at their start, or than the pool's average price; or lost that much to other traders who moved the price.",
        queries: {
          'than one swap': worse('single_swap'),
          'than the average price': worse('twap'),
          'by the drift of the price': `1 - ${share('drift', '0.001')}`,
        },
      },
    }),
    row('Executions', {
      'Executions by phase': {
        description: 'Executions in the database: fee, trading, delivery, return, and ended by outcome.',
        queries: [maxBy('phase', of('maker_execution_executions'))],
      },
      'Behind schedule': {
        description: 'Delay of the execution furthest behind schedule, by phase.',
        unit: 's',
        queries: [maxBy('phase', of('maker_execution_overdue_seconds'))],
      },
      'Faults and refusals': {
        description:
          'Failed execution ticks per second (retried at the next block), and refused jobs per second whose wallet is not of this seed.',
        unit: 'ops',
        queries: {
          'failed ticks': `sum(${rate('maker_execution_faults_total')})`,
          'refused jobs': `sum(${rate('maker_execution_refused_total')})`,
        },
      },
    }),
  ],
};
