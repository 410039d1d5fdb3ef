import { ageOf, type Board, colours, maxBy, of, p95By, quantiles, rate, row, sumBy } from '../board.ts';

const LAG = 'maker_payment_detection_lag_blocks';

export const payments: Board = {
  uid: 'maker-payments',
  title: 'Maker / Payments',
  description: 'Detection of payments, unusual payments, and money that pays for no order.',
  rows: [
    row('Detection', {
      'Detection lag': {
        description: 'Blocks from a payment to its credit. One or two is normal for transfers; balances are polled.',
        unit: 'suffix: blocks',
        queries: quantiles([0.5, 0.95], LAG, 'kind'),
      },
      'Seen later than three blocks': {
        description: 'Share of credited deposits that were seen more than three blocks after their own.',
        unit: 'percentunit',
        queries: {
          '{{kind}}': `1 - sum by (kind) (${rate(`${LAG}_bucket`, 'le=~"3|3[.]0"')}) / sum by (kind) (${rate(`${LAG}_count`)})`,
        },
      },
      'Seen and not credited': {
        description: 'Deposits that wait for confirmations.',
        queries: [`max(${of('maker_payment_uncredited_deposits')})`],
      },
      'Age of the oldest uncredited': {
        description: 'Age of the oldest deposit that is not credited. Above two minutes: runbook deposit-not-credited.',
        unit: 's',
        queries: [`max(${of('maker_payment_oldest_uncredited_seconds')})`],
        thresholds: colours('green', ['red', 120]),
      },
      'Watcher lag': {
        description: 'Age of the newest scanned block. Above 30 s: runbook watcher-lag.',
        unit: 's',
        queries: [ageOf('maker_watcher_cursor_timestamp_seconds')],
        thresholds: colours('green', ['red', 30]),
      },
      'Blocks to scan': {
        description:
          'Newest known block minus the newest scanned one; falls while a watcher catches up after an outage.',
        unit: 'suffix: blocks',
        queries: [`max(${of('maker_watcher_head_block')}) - max(${of('maker_watcher_cursor_block')})`],
      },
      'Who scans': {
        description:
          '1 in the replica that scans. Must be exactly one, else payments are not detected: runbook watcher-not-scanning.',
        queries: { '{{instance}}': of('maker_watcher_active') },
      },
    }),
    row('Money', {
      Received: {
        description: 'HYPE credited per hour, by source: transfer, internal (by a contract) or balance (neither).',
        unit: 'suffix: HYPE/h',
        queries: [sumBy('kind', rate('maker_payment_received_wei_total'), ' * 3600 / 1e18')],
      },
      Deposits: {
        description:
          'Deposits credited per second, by source, in the watcher and in the job service: both must have the same sums.',
        unit: 'ops',
        queries: {
          'watcher {{kind}}': `sum by (kind) (${rate('maker_payment_deposits_total')})`,
          'job {{kind}}': `sum by (kind) (${rate('maker_job_deposits_total')})`,
        },
      },
      Flags: {
        description: 'Jobs whose deposits are too little, too much or too late; a job can have several of these.',
        queries: [maxBy('flag', of('maker_job_flagged_jobs'))],
      },
      'Held by executions': {
        description: 'HYPE that stays in wallets of ended executions. Runbook money-held.',
        unit: 'suffix: HYPE',
        queries: [`max(${of('maker_execution_held_wei')}) / 1e18`],
      },
      'Executions that hold something': {
        description: 'Ended executions with HYPE or tokens that wait for an operator. Runbook money-held.',
        queries: [`max(${of('maker_execution_held_executions')})`],
      },
      'Not gone back yet': {
        description:
          'HYPE that pays for no order: of jobs that never became active, or beyond the payment of one that did. Minutes are normal; longer: runbook money-unclaimed.',
        unit: 'suffix: HYPE',
        queries: [maxBy('reason', of('maker_job_unclaimed_wei'), ' / 1e18')],
      },
      'Deadlines passed': {
        description: 'Jobs per hour whose deadline the chain has passed.',
        queries: [`sum(${rate('maker_payment_deadlines_passed_total')}) * 3600`],
      },
    }),
    row('Scanner', {
      'Addresses watched': {
        description: 'Watched addresses: of open jobs, and of ended ones for 24 h.',
        queries: [`max(${of('maker_watcher_watched_addresses')})`],
      },
      'Polls of balances': {
        description: '95th percentile of the time to read balances, of all addresses or of some.',
        unit: 's',
        queries: [p95By('scope', 'maker_watcher_poll_seconds')],
      },
      'Reorganised and lost blocks': {
        description:
          'Reorganisations, blocks that the node no longer had, and credited deposits whose block was dropped (runbook credit-dropped), per hour.',
        queries: {
          reorganisations: `sum(${rate('maker_watcher_reorgs_total')}) * 3600`,
          'missed blocks': `sum(${rate('maker_watcher_missed_blocks_total')}) * 3600`,
          'credits dropped': `sum(${rate('maker_payment_credited_then_dropped_total')}) * 3600`,
        },
      },
    }),
  ],
};
