import { ageOf, type Board, colours, of, rate, rowOf } from '../board.ts';

/** The command that finds jobs, since metrics contain no job ids. */
const OPS = 'kubectl -n maker exec deploy/maker-ops -- ops';
const ACTIVE = 'phase=~"fee|trading|delivery|return"';
const FAULTS = 'outcome=~"rate_limited|timeout|error"';
const hypeOfDay = (name: string, matchers = '') => `sum(increase(${of(name, matchers)}[1d])) / 1e18`;

const money = rowOf({ kind: 'stat', width: 4 }, 'Is money stuck?', {
  'Paid, not executed': {
    description: 'Active jobs minus running executions. Above 0 for minutes: runbook paid-job-not-executed.',
    queries: [
      `max(${of('maker_job_jobs', 'status="active"')}) - sum(max by (phase) (${of('maker_execution_executions', ACTIVE)}))`,
    ],
    thresholds: colours('green', ['red', 1]),
  },
  'Behind schedule': {
    description:
      'Delay of the execution furthest behind schedule, not paused. Above 10 min: runbook execution-overdue.',
    unit: 's',
    queries: [`max(${of('maker_execution_overdue_seconds')})`],
    thresholds: colours('green', ['orange', 120], ['red', 600]),
  },
  'Oldest in flight': {
    description: 'Age of the oldest signed transaction in no block. Above 3 min: runbook transaction-stuck.',
    unit: 's',
    queries: [`max(${of('maker_wallet_oldest_unconfirmed_seconds')})`],
    thresholds: colours('green', ['orange', 60], ['red', 180]),
  },
  'Held for an operator': {
    description: 'HYPE of ended executions that only an operator can return. Runbook money-held.',
    unit: 'suffix: HYPE',
    decimals: 3,
    queries: [`max(${of('maker_execution_held_wei')}) / 1e18`],
    thresholds: colours('green', ['orange', 0.000001]),
  },
  'Not gone back yet': {
    description: 'HYPE that pays for no order and waits for its return. Minutes are normal: runbook money-unclaimed.',
    unit: 'suffix: HYPE',
    decimals: 3,
    queries: [`sum(max by (reason) (${of('maker_job_unclaimed_wei')})) / 1e18`],
    thresholds: colours('green', ['orange', 0.000001]),
  },
  'Ledgers that differ': {
    description: 'Wallets whose balance differs from their ledger. Treat it as theft: runbook ledger-drift.',
    queries: [`max(${of('maker_wallet_ledger_drifting')})`],
    thresholds: colours('green', ['red', 1]),
  },
});

const payments = rowOf({ kind: 'stat', width: 4 }, 'Is a payment unseen?', {
  'Watcher lag': {
    description: 'Age of the newest scanned block. Above 30 s payments are not detected: runbook watcher-lag.',
    unit: 's',
    queries: [ageOf('maker_watcher_cursor_timestamp_seconds')],
    thresholds: colours('green', ['orange', 5], ['red', 30]),
  },
  'Replicas that scan': {
    description: 'Must be exactly one. Runbook watcher-not-scanning.',
    queries: [`sum(${of('maker_watcher_active')})`],
    thresholds: colours('red', ['green', 1], ['red', 2]),
  },
  'Oldest uncredited': {
    description: 'Age of the oldest deposit that is seen and not credited. Runbook deposit-not-credited.',
    unit: 's',
    queries: [`max(${of('maker_payment_oldest_uncredited_seconds')})`],
    thresholds: colours('green', ['orange', 30], ['red', 120]),
  },
  'Oldest unsent event': {
    description: 'Events report credited payments to their jobs. Above a minute: runbook outbox-not-published.',
    unit: 's',
    queries: [`max(${of('maker_outbox_age_seconds')})`],
    thresholds: colours('green', ['orange', 10], ['red', 60]),
  },
  'Events given up': {
    description: 'Events of all services that failed eight times. Runbook events-parked.',
    queries: [`sum(max by (job) (${of('maker_events_parked_messages', 'state="failed"')}))`],
    thresholds: colours('green', ['red', 1]),
  },
  'Past the deadline': {
    description: 'Longest time that a job has waited after its deadline. Minutes: runbook job-not-expired.',
    unit: 's',
    queries: [`max(${of('maker_job_past_deadline_seconds')})`],
    thresholds: colours('green', ['red', 300]),
  },
});

const chain = rowOf({ width: 8, height: 9, min: 0 }, 'Is the chain or our RPC at fault?', {
  'Age of the newest block': {
    description: 'Newest block of each service. All old: the chain, runbook chain-stalled. One old: its endpoints.',
    unit: 's',
    queries: {
      'maker-executor': ageOf('maker_execution_head_timestamp_seconds'),
      'payment-watcher': ageOf('maker_watcher_cursor_timestamp_seconds'),
    },
    thresholds: colours('green', ['red', 60]),
  },
  'RPC requests that fail': {
    description: 'Share of requests that were rate limited, timed out or failed. Runbook rpc-failing.',
    unit: 'percentunit',
    max: 1,
    queries: {
      '{{job}}': `sum by (job) (${rate('maker_rpc_requests_total', FAULTS)}) / sum by (job) (${rate('maker_rpc_requests_total')})`,
    },
    thresholds: colours('green', ['red', 0.2]),
  },
  'Gas against the guardrail': {
    description: 'Above the guardrail the maker places no order, by design. Runbook executions-paused.',
    unit: 'suffix: gwei',
    queries: {
      'base fee': `max(${of('maker_execution_base_fee_wei')}) / 1e9`,
      guardrail: `max(${of('maker_execution_gas_guardrail_wei')}) / 1e9`,
    },
  },
});

const NAME_THEM = { title: 'Name the jobs', url: 'docs/operate/boards.md#name-the-jobs' };

const jobs = rowOf({ kind: 'table', width: 8 }, 'Which jobs?', {
  'At work': {
    rowLink: { column: 'phase', ...NAME_THEM },
    description: `Executions by phase. Name them with \`${OPS} list --status active\`, and one with \`${OPS} show <job>\`. Runbook execution-overdue.`,
    queries: [{ expr: `max by (phase) (${of('maker_execution_executions', ACTIVE)})`, legend: 'executions' }],
  },
  Waiting: {
    rowLink: { column: 'reason', ...NAME_THEM },
    description: `Executions by the reason of their pause. Name them with \`${OPS} list --status active\`. Runbook executions-paused.`,
    queries: [{ expr: `max by (reason) (${of('maker_execution_paused')})`, legend: 'executions' }],
  },
  'By status': {
    rowLink: { column: 'status', ...NAME_THEM },
    description: `All jobs by status. Name them with \`${OPS} list --status <status>\`. Runbook job-failed.`,
    queries: [{ expr: `max by (status) (${of('maker_job_jobs')})`, legend: 'jobs' }],
  },
});

const day = rowOf({ kind: 'stat', width: 6, unit: 'suffix: HYPE', decimals: 3 }, 'What came and went in 24 hours?', {
  Earned: {
    description: 'Fees that reached the treasury.',
    queries: [hypeOfDay('maker_execution_spent_wei_total', 'kind="fee"')],
  },
  'Spent on orders': {
    description: 'HYPE that bought tokens for payers.',
    queries: [hypeOfDay('maker_execution_spent_wei_total', 'kind="order"')],
  },
  'Spent on gas': {
    description: 'Gas of all transactions of wallets.',
    queries: [hypeOfDay('maker_execution_spent_wei_total', 'kind="gas"')],
  },
  Returned: {
    description: 'HYPE that went back to payers.',
    queries: [hypeOfDay('maker_execution_spent_wei_total', 'kind="returned"')],
  },
});

/** An operator's first questions, one row for each. */
export const QUESTIONS: Board['rows'] = [money, payments, chain, jobs, day];
