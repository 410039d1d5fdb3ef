import { type Board, colours, of, row, rowOf, sumBy } from '../board.ts';

/** The maximum over the board's time range: a pod ends half a minute after its round. */
const shown = (name: string, matchers = '') => `max_over_time(${of(name, matchers)}[$__range])`;

/** The same at each point of a graph. */
const shownThen = (name: string, matchers = '') => `max_over_time(${of(name, matchers)}[$__rate_interval])`;

const steps = (round: 'small' | 'whole') => [
  {
    expr: `max by (step) (${shownThen('maker_canary_step_seconds', `round="${round}"`)})`,
    legend: '{{step}}',
  },
];

export const canary: Board = {
  uid: 'maker-canary',
  title: 'Maker / Canary',
  description: 'Results of the canary, which pays like a visitor every two minutes. Empty without a canary.',
  rows: [
    row('Does money get through', {
      'Since the last success': {
        description:
          'Time since a round of either kind succeeded. Rounds begin every two minutes; above five: runbook canary-failing.',
        unit: 's',
        kind: 'stat',
        queries: [`time() - max(${shown('maker_canary_succeeded_timestamp_seconds')})`],
        thresholds: colours('green', ['orange', 240], ['red', 300]),
      },
      Spent: {
        description:
          'HYPE that rounds cost within the time shown: the fees of whole rounds, which went to the treasury, and the rest.',
        unit: 'suffix: HYPE',
        kind: 'stat',
        decimals: 4,
        queries: [sumBy('part', shown('maker_canary_cost_wei'), ' / 1e18')],
      },
      'In its wallet': {
        description: 'HYPE that the wallet held after the last round. A whole round needs the minimum payment and gas.',
        unit: 'suffix: HYPE',
        kind: 'stat',
        decimals: 3,
        queries: [`min(last_over_time(${of('maker_canary_balance_wei')}[$__rate_interval])) / 1e18`],
      },
      Rounds: {
        description: 'Rounds within the time shown: successful ones, small and whole, and failed ones by their step.',
        kind: 'bargauge',
        width: 12,
        queries: {
          'succeeded: {{round}}': `count by (round) (${shown('maker_canary_succeeded_timestamp_seconds')} > 0)`,
          'failed: {{step}}': `count by (step) (${shown('maker_canary_failed_timestamp_seconds')})`,
        },
      },
      'Orders before the stop': {
        description:
          'Orders that jobs of whole rounds placed before they stopped. Repeatedly above 0: events arrive late, runbook canary-failing.',
        width: 12,
        joined: true,
        queries: [`max(${shownThen('maker_canary_orders_placed')})`],
      },
    }),
    rowOf({ unit: 's', width: 12, stacked: true, joined: true }, 'How fast', {
      'Steps of small rounds': {
        description:
          'Duration of each step of rounds that pay too little and get it back. Detection takes about two blocks.',
        queries: steps('small'),
      },
      'Steps of whole rounds': {
        description: 'Duration of each step of rounds that pay for a job, including its activation and the mined fee.',
        queries: steps('whole'),
      },
    }),
  ],
};
