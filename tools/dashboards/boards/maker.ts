import { type Board, colours, increase, maxBy, of, rate, row, rowOf, sumBy } from '../board.ts';

/** Mean over the jobs that ended within the time shown: the buckets are too wide for a quantile of a few jobs. */
const mean = (figures: string) =>
  `sum by (figure) (${increase('maker_quality_jobs_ratio_sum', `figure=~"${figures}"`)}) / sum by (figure) (${increase('maker_quality_jobs_ratio_count', `figure=~"${figures}"`)})`;

/** Jobs whose figure is at most a bound, of all: a sum of figures that may be negative does not only rise, and has no mean. */
const share = (figure: string, bound: string) =>
  `sum(${increase('maker_quality_jobs_ratio_bucket', `figure="${figure}",le="${bound}"`)}) / sum(${increase('maker_quality_jobs_ratio_count', `figure="${figure}"`)})`;

const worse = (figure: string) => share(figure, '-0.001');

export const maker: Board = {
  uid: 'maker-maker',
  title: 'Maker / Orders',
  description: 'What the maker buys and spends, why it waits, and gas against the guardrail.',
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
          'By why: gas, order cost, price band, thin liquidity, drift or an operator. Runbook executions-paused.',
        queries: [maxBy('reason', of('maker_execution_paused'))],
        stacked: true,
      },
      'Longest pause': {
        description: 'How long the execution that has waited longest has waited, by why.',
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
          'Tokens fewer than quoted, mean over jobs that completed within the time shown. It stays far below the limit of a per cent.',
        queries: { '{{figure}}': mean('slippage') },
      },
      'Jobs that did worse than they could': {
        description:
          "Share of jobs that completed within the time shown and bought 0.1 % less than one swap of the whole budget at their start, or than the pool's average price; or lost that much to others who moved the price.",
        queries: {
          'than one swap': worse('single_swap'),
          'than the average price': worse('twap'),
          'by the drift of the price': `1 - ${share('drift', '0.001')}`,
        },
      },
    }),
    row('Executions', {
      'Executions by phase': {
        description: 'As the database has them: fee, trading, delivery, return, and how they ended.',
        queries: [maxBy('phase', of('maker_execution_executions'))],
      },
      'Behind schedule': {
        description: 'How far the execution that is furthest behind its schedule is behind it, by phase.',
        unit: 's',
        queries: [maxBy('phase', of('maker_execution_overdue_seconds'))],
      },
      'Faults and refusals': {
        description:
          'Failed looks per second (repeated at the next block), and jobs per second that were refused since their wallet is not of this seed.',
        unit: 'ops',
        queries: {
          'failed looks': `sum(${rate('maker_execution_faults_total')})`,
          'refused jobs': `sum(${rate('maker_execution_refused_total')})`,
        },
      },
    }),
  ],
};
