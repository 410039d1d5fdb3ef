import type { AlertCase, AlertSituation } from './alert-case.ts';
import { BUDGET_CASES } from './budget-cases.ts';
import { CANARY_CASES } from './canary-cases.ts';
import { NEW_JOBS_CASES } from './new-jobs-cases.ts';
import { SERVER_CASES } from './server-cases.ts';

const N = 'namespace="n"';
const IN_N = { namespace: 'n' };
const UP = { [`maker_service_up{${N},component="job"}`]: '1x200' };
const AT_WORK = (count: string) => ({
  [`maker_execution_executions{${N},phase="fee"}`]: '0x200',
  [`maker_execution_executions{${N},phase="trading"}`]: count,
});
const WATCHER_UP = { [`maker_service_up{${N},component="payment-watcher"}`]: '1x200' };
const INSTALLED = (...components: string[]) =>
  Object.fromEntries(
    components.map((component) => [`maker_component_installed{${N},component="${component}"}`, '1x200']),
  );
const gone = (series: AlertSituation['series'] = UP, at = '60m') => ({ series, at, fires: false });
const steady = (series: string, value: number | string) => ({ [series]: `${value}x200` });

/** A gauge that fires above a bound for some minutes, and not at the bound. */
function gauge(
  alert: string,
  metric: string,
  { labels = {}, wrong, right, says }: { labels?: Record<string, string>; wrong: number; right: number; says: string },
): AlertCase {
  const all = { namespace: 'n', ...labels };
  const series = `${metric}{${Object.entries(all)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;
  return {
    alert,
    fires: { series: steady(series, wrong), at: '30m', labels: all, says },
    silent: { series: steady(series, right), at: '30m' },
    absent: gone(),
  };
}

/** A counter that fires after a single event. */
function event(
  alert: string,
  metric: string,
  { labels = {}, kept = [], says }: { labels?: Record<string, string>; kept?: readonly string[]; says: string },
): AlertCase {
  const inner = Object.entries({ namespace: 'n', ...labels })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',');
  const shown = Object.fromEntries(kept.map((label) => [label, labels[label] ?? '']));
  return {
    alert,
    fires: { series: { [`${metric}{${inner}}`]: '0x30 1x30' }, at: '33m', labels: { ...IN_N, ...shown }, says },
    lasts: { [`${metric}{${inner}}`]: '0+1x1' },
    silent: { series: { [`${metric}{${inner}}`]: '1x200' }, at: '60m' },
    absent: gone(),
  };
}

/** A process that starts every five minutes, for more than three days. */
const STARTS = Array.from({ length: 900 }, (_, start) => start);

const OVERDUE = 'maker_execution_overdue_seconds';

/** Every alert with its three situations. */
export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: 'MakerPaidJobNotExecuted',
    fires: {
      series: { [`maker_job_jobs{${N},status="active"}`]: '3x60', ...AT_WORK('1x60') },
      at: '10m',
      labels: IN_N,
      says: '2 paid jobs have no running execution. Their payers wait for orders.',
    },
    // Some seconds pass between the payment and the first tick.
    silent: { series: { [`maker_job_jobs{${N},status="active"}`]: '1x3 2 1x60', ...AT_WORK('1x60') }, at: '10m' },
    // Active jobs, while no process exposes executions.
    absent: { series: { [`maker_job_jobs{${N},status="active"}`]: '3x60' }, at: '10m', fires: true },
  },
  gauge('MakerExecutionOverdue', OVERDUE, {
    labels: { phase: 'delivery' },
    wrong: 1200,
    right: 600,
    says: 'An execution in phase delivery is 20m 0s behind its schedule and not paused. Its payer waits.',
  }),
  gauge('MakerLedgerDrift', 'maker_wallet_ledger_drifting', {
    wrong: 1,
    right: 0,
    says: 'A wallet holds less than its ledger records, or a ledger does not add up. The executor stopped the wallet.',
  }),
  {
    alert: 'MakerLedgerDrift',
    fires: {
      series: { [`maker_wallet_ledger_drift_total{${N},direction="broken"}`]: '0x30 1x30' },
      at: '33m',
      labels: IN_N,
      says: 'A wallet holds less than its ledger records, or a ledger does not add up. The executor stopped the wallet.',
    },
    lasts: { [`maker_wallet_ledger_drift_total{${N},direction="broken"}`]: '0+1x1' },
    silent: { series: { [`maker_wallet_ledger_drift_total{${N},direction="surplus"}`]: '0x30 1x30' }, at: '33m' },
    absent: gone(),
  },
  gauge('MakerNonceGap', 'maker_wallet_missing_nonces', {
    wrong: 2,
    right: 0,
    says: '2 nonces below transactions in flight have no transaction. The transactions above them cannot be mined.',
  }),
  {
    alert: 'MakerTransactionStuck',
    fires: {
      series: {
        ...steady(`maker_wallet_oldest_unconfirmed_seconds{${N}}`, 300),
        ...steady(`maker_execution_base_fee_wei{${N}}`, 1e9),
        ...steady(`maker_execution_gas_guardrail_wei{${N}}`, 10e9),
      },
      at: '10m',
      labels: IN_N,
      says: 'The oldest signed transaction is 5m 0s old and not mined, although gas is below the guardrail. Its job waits.',
    },
    silent: {
      series: {
        ...steady(`maker_wallet_oldest_unconfirmed_seconds{${N}}`, 300),
        ...steady(`maker_execution_base_fee_wei{${N}}`, 11e9),
        ...steady(`maker_execution_gas_guardrail_wei{${N}}`, 10e9),
      },
      at: '10m',
    },
    absent: gone(),
  },
  gauge('MakerMoneyOnHyperCore', 'maker_job_hypercore_jobs', {
    wrong: 2,
    right: 0,
    says: '2 jobs have HYPE at their address on HyperCore. It pays for no orders there.',
  }),
  event('MakerHyperCoreNotChecked', 'maker_payment_hypercore_checks_total', {
    labels: { outcome: 'given_up' },
    says: "HyperCore's API did not answer for a minute. Jobs expired in the last hour without a check of HyperCore.",
  }),
  gauge('MakerMoneyHeld', 'maker_execution_held_executions', {
    wrong: 1,
    right: 0,
    says: '1 ended executions hold HYPE or tokens that could not be returned, or whose recipient is not the agreed one. An operator must release them.',
  }),
  {
    alert: 'MakerMoneyUnclaimed',
    fires: {
      series: steady(`maker_job_unclaimed_wei{${N},reason="after_end"}`, 0.25e18),
      at: '20m',
      labels: { ...IN_N, reason: 'after_end' },
      says: '0.25 HYPE that pay for no order were not returned to their senders within 15 minutes (after_end).',
    },
    // The return takes some minutes; then dust stays.
    silent: { series: { [`maker_job_unclaimed_wei{${N},reason="after_end"}`]: `${0.25e18}x10 1000x60` }, at: '20m' },
    absent: gone(),
  },
  event('MakerReturnsFailing', 'maker_execution_fees_refused_total', {
    says: 'The treasury did not accept the fee, so a paid job ended in the last 30 minutes. Every other job will end too.',
  }),
  event('MakerSigningRefused', 'maker_wallet_signing_errors_total', {
    labels: { purpose: 'order' },
    kept: ['purpose'],
    says: 'A transaction for order broke the signing policy or could not be signed. The code and the policy disagree, or this is an attack.',
  }),
  event('MakerJobRefused', 'maker_execution_refused_total', {
    says: "The executor's seed does not derive the wallet of a paid job, or the job differs from its signed agreement. Its money is held before the fee.",
  }),
  event('MakerWalletCounterBehind', 'maker_job_creations_refused_total', {
    says: "The job service's database is lost, or restored from a backup that is too old. The service refuses jobs so that no two jobs get one address.",
  }),
  {
    alert: 'MakerUnpaidJobsRefused',
    fires: {
      series: { [`maker_job_refusals_total{${N},reason="unpaid"}`]: '0+6x60' },
      at: '30m',
      labels: IN_N,
      says: '60 jobs were refused within ten minutes because too many wait for their payment.',
    },
    silent: { series: { [`maker_job_refusals_total{${N},reason="unpaid"}`]: '0+1x60' }, at: '30m' },
    absent: gone(),
  },
  gauge('MakerCapacityBooked', 'maker_job_booked_ratio', {
    labels: { resource: 'gas' },
    wrong: 0.95,
    right: 0.8,
    says: '95% of the capacity for all jobs (gas) is booked. New jobs take longer, and soon are refused.',
  }),
  event('MakerPaidJobFailed', 'maker_job_transitions_total', {
    labels: { from: 'active', to: 'failed_technical' },
    says: 'A paid job ended as failed_technical within the last hour. The payer gets the bought tokens and the rest, without the fee.',
  }),
  event('MakerJobFailed', 'maker_job_transitions_total', {
    labels: { from: 'active', to: 'failed_liquidity' },
    says: 'A paid job ended as failed_liquidity within the last hour. The payer gets the bought tokens and the rest, without the fee.',
  }),
  ...NEW_JOBS_CASES,
  {
    alert: 'MakerOrdersReverting',
    fires: {
      series: {
        [`maker_order_orders_total{${N},status="mined"}`]: '0+2x60',
        [`maker_order_orders_total{${N},status="failed"}`]: '0+1x60',
      },
      at: '30m',
      labels: IN_N,
      says: '33.33% of the orders of the last 15 minutes reverted. Each costs gas and buys nothing.',
    },
    // All of two orders: too few for a ratio.
    silent: {
      series: {
        [`maker_order_orders_total{${N},status="mined"}`]: '0x60',
        [`maker_order_orders_total{${N},status="failed"}`]: '0x25 2x30',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerExecutionFaults',
    fires: {
      series: { [`maker_execution_faults_total{${N}}`]: '0+10x60' },
      at: '30m',
      labels: IN_N,
      says: '100 execution ticks failed within ten minutes. The executor repeats each at the next block.',
    },
    silent: { series: { [`maker_execution_faults_total{${N}}`]: '0+5x60' }, at: '30m' },
    absent: gone(),
  },
  {
    alert: 'MakerWalletsUnowned',
    fires: {
      series: {
        ...AT_WORK('3x60'),
        [`maker_wallet_owned{${N},instance="a"}`]: '1x60',
        [`maker_wallet_owned{${N},instance="b"}`]: '1x60',
      },
      at: '10m',
      labels: IN_N,
      says: 'No process holds the wallet leases of 1 executions. These wallets send nothing.',
    },
    silent: {
      series: {
        ...AT_WORK('3x60'),
        [`maker_wallet_owned{${N},instance="a"}`]: '1x60',
        [`maker_wallet_owned{${N},instance="b"}`]: '2x60',
      },
      at: '10m',
    },
    absent: gone(),
  },
  gauge('MakerExecutionsPausedLong', 'maker_execution_longest_pause_seconds', {
    labels: { reason: 'gas_guardrail' },
    wrong: 25_200,
    right: 21_600,
    says: 'An execution has been paused for 7h 0m 0s by gas_guardrail. Its payer waits for orders.',
  }),
  {
    alert: 'MakerGasAboveGuardrail',
    fires: {
      series: {
        ...steady(`maker_execution_base_fee_wei{${N}}`, 12e9),
        ...steady(`maker_execution_gas_guardrail_wei{${N}}`, 10e9),
      },
      at: '15m',
      labels: IN_N,
      says: 'The base fee is 12Gwei. All jobs wait until it is at or below 10 gwei.',
    },
    silent: {
      series: {
        ...steady(`maker_execution_base_fee_wei{${N}}`, 10e9),
        ...steady(`maker_execution_gas_guardrail_wei{${N}}`, 10e9),
      },
      at: '15m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerPaymentsUnseen',
    fires: {
      // Stops while time passes.
      series: { ...WATCHER_UP, ...steady(`maker_watcher_cursor_timestamp_seconds{${N}}`, 0) },
      at: '5m',
      labels: IN_N,
      says: 'The newest scanned block is 5m 0s old. The watcher has seen no payment since.',
    },
    silent: {
      series: { ...WATCHER_UP, [`maker_watcher_cursor_timestamp_seconds{${N}}`]: '0+60x60' },
      at: '30m',
    },
    absent: { series: { ...UP, ...INSTALLED('payment-watcher') }, at: '60m', fires: true },
  },
  {
    alert: 'MakerPaymentsUnseen',
    because: 'the watcher is gone',
    fires: {
      series: {
        ...UP,
        ...INSTALLED('payment-watcher'),
        [`maker_watcher_cursor_timestamp_seconds{${N}}`]: '0+60x5 stale',
      },
      at: '10m',
      labels: IN_N,
      says: 'The newest scanned block is 5m 0s old. The watcher has seen no payment since.',
    },
    silent: {
      series: { ...WATCHER_UP, [`maker_watcher_cursor_timestamp_seconds{${N}}`]: '0+60x5 stale 420+60x60' },
      at: '12m',
    },
    absent: gone(WATCHER_UP),
  },
  {
    alert: 'MakerWatcherNotScanning',
    fires: {
      series: {
        [`maker_watcher_active{${N},instance="a"}`]: '0x60',
        [`maker_watcher_active{${N},instance="b"}`]: '0x60',
      },
      at: '5m',
      labels: IN_N,
      says: 'No replica of payment-watcher holds the scanner lease. No payment is seen.',
    },
    silent: {
      series: {
        [`maker_watcher_active{${N},instance="a"}`]: '0x60',
        [`maker_watcher_active{${N},instance="b"}`]: '1x60',
      },
      at: '5m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerWatcherScansTwice',
    fires: {
      series: {
        [`maker_watcher_active{${N},instance="a"}`]: '1x60',
        [`maker_watcher_active{${N},instance="b"}`]: '1x60',
      },
      at: '5m',
      labels: IN_N,
      says: '2 replicas of payment-watcher believe that they hold the scanner lease. Writes are fenced, so no money is at risk.',
    },
    silent: {
      series: {
        [`maker_watcher_active{${N},instance="a"}`]: '1x60',
        [`maker_watcher_active{${N},instance="b"}`]: '0x60',
      },
      at: '5m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerBalancePollsHeavy',
    fires: {
      series: {
        [`maker_watcher_poll_seconds_sum{${N},scope="all"}`]: '0+24x60',
        [`maker_watcher_poll_seconds_sum{${N},scope="some"}`]: '0+6x60',
      },
      at: '40m',
      labels: IN_N,
      says: 'Reading the balances of watched addresses takes 50% of the time. The watcher scans no block meanwhile.',
    },
    silent: { series: { [`maker_watcher_poll_seconds_sum{${N},scope="all"}`]: '0+12x60' }, at: '40m' },
    absent: gone(),
  },
  gauge('MakerDepositNotCredited', 'maker_payment_oldest_uncredited_seconds', {
    wrong: 240,
    right: 120,
    says: 'A payment was seen on the chain, and its job has no credit for it. Its payer waits.',
  }),
  {
    alert: 'MakerDepositNotCredited',
    because: 'its event is not published',
    fires: {
      series: {
        [`maker_outbox_age_seconds{${N},job="payment-watcher",instance="a"}`]: '240x60',
        [`maker_service_up{${N},job="payment-watcher",instance="a",component="payment-watcher"}`]: '1x60',
      },
      at: '30m',
      labels: IN_N,
      says: 'A payment was seen on the chain, and its job has no credit for it. Its payer waits.',
    },
    // Another service's: MakerOutboxNotPublished covers it.
    silent: {
      series: {
        [`maker_outbox_age_seconds{${N},job="webhook-sender",instance="b"}`]: '240x60',
        [`maker_service_up{${N},job="webhook-sender",instance="b",component="webhook-sender"}`]: '1x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerDepositNotCredited',
    because: 'its job service gave the event up',
    fires: {
      series: { [`maker_events_parked_total{${N},job="job",type="payment.received"}`]: '0x30 1x30' },
      at: '34m',
      labels: IN_N,
      says: 'A payment was seen on the chain, and its job has no credit for it. Its payer waits.',
    },
    lasts: { [`maker_events_parked_total{${N},job="job",type="payment.received"}`]: '0+1x1' },
    silent: {
      series: { [`maker_events_parked_total{${N},job="job",type="job.created"}`]: '0x30 1x30' },
      at: '34m',
    },
    absent: gone(),
  },
  ...[{ bound: '10' }, { bound: '10.0', because: 'Prometheus 3 writes whole bounds so' }].map(
    ({ bound, because }): AlertCase => ({
      alert: 'MakerPaymentSeenLate',
      ...(because !== undefined && { because }),
      fires: {
        series: {
          [`maker_payment_detection_lag_blocks_count{${N},kind="transfer"}`]: '5x30 6x30',
          [`maker_payment_detection_lag_blocks_bucket{${N},kind="transfer",le="${bound}"}`]: '5x60',
        },
        at: '40m',
        labels: IN_N,
        says: 'About 1 payments of the last hour were credited more than ten blocks after they were mined.',
      },
      lasts: {
        [`maker_payment_detection_lag_blocks_count{${N},kind="transfer"}`]: '5+1x1',
        [`maker_payment_detection_lag_blocks_bucket{${N},kind="transfer",le="${bound}"}`]: '5x1',
      },
      silent: {
        series: {
          [`maker_payment_detection_lag_blocks_count{${N},kind="transfer"}`]: '5x30 6x30',
          [`maker_payment_detection_lag_blocks_bucket{${N},kind="transfer",le="${bound}"}`]: '5x30 6x30',
        },
        at: '40m',
      },
      absent: gone(),
    }),
  ),
  event('MakerCreditDropped', 'maker_payment_credited_then_dropped_total', {
    says: 'A reorganisation dropped the block of a credited deposit. The ledger stops the wallet.',
  }),
  {
    alert: 'MakerBlocksMissed',
    fires: {
      series: { [`maker_watcher_missed_blocks_total{${N}}`]: '0x30 20x60' },
      at: '60m',
      labels: IN_N,
      says: 'The node no longer had about 20 blocks. The watcher finds payments in them by balance, without their sender.',
    },
    lasts: { [`maker_watcher_missed_blocks_total{${N}}`]: '0+20x1' },
    silent: { series: { [`maker_watcher_missed_blocks_total{${N}}`]: '20x90' }, at: '60m' },
    absent: gone(),
  },
  {
    alert: 'MakerBlocksMissed',
    because: 'a watcher that was down for hours counts before the first scrape',
    fires: {
      series: { [`maker_watcher_missed_blocks_total{${N}}`]: '0x10 _x180 20x60' },
      at: '200m',
      labels: IN_N,
      says: 'The node no longer had about 20 blocks. The watcher finds payments in them by balance, without their sender.',
    },
    lasts: { [`maker_watcher_missed_blocks_total{${N}}`]: '20+20x1' },
    silent: { series: { [`maker_watcher_missed_blocks_total{${N}}`]: '0x10 _x180 0x60' }, at: '200m' },
    absent: gone(),
  },
  gauge('MakerJobNotExpired', 'maker_job_past_deadline_seconds', {
    wrong: 600,
    right: 300,
    says: 'A job still waits for its payment 10m 0s after its deadline.',
  }),
  gauge('MakerOutboxNotPublished', 'maker_outbox_age_seconds', {
    labels: { job: 'payment-watcher' },
    wrong: 120,
    right: 60,
    says: 'The oldest event of payment-watcher has waited 2m 0s for its number. Other services receive it late.',
  }),
  gauge('MakerOutboxSetAside', 'maker_outbox_set_aside_messages', {
    labels: { job: 'job' },
    wrong: 1,
    right: 0,
    says: 'job recorded events that no message can carry, and set them aside. Other services do not receive them.',
  }),
  {
    alert: 'MakerEventsParked',
    fires: {
      series: steady(`maker_events_parked_messages{${N},job="job",state="failed"}`, 1),
      at: '30m',
      labels: { ...IN_N, job: 'job' },
      says: 'job failed eight times to process an event. It waits in its database, and so do the later events of its job.',
    },
    silent: { series: steady(`maker_events_parked_messages{${N},job="job",state="waiting"}`, 5), at: '30m' },
    absent: gone(),
  },
  {
    alert: 'MakerEventsFailing',
    fires: {
      series: { [`maker_events_consumed_total{${N},job="job",type="payment.received",outcome="failed"}`]: '0+2x60' },
      at: '30m',
      labels: { ...IN_N, job: 'job', type: 'payment.received' },
      says: 'job failed 30 times to process payment.received within 15 minutes.',
    },
    silent: {
      series: {
        [`maker_events_consumed_total{${N},job="job",type="payment.received",outcome="failed"}`]: '0x25 8x60',
        [`maker_events_consumed_total{${N},job="job",type="payment.received",outcome="duplicate"}`]: '0+100x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerNothingScraped',
    fires: {
      // Another installation is scraped.
      series: { ...INSTALLED('job', 'site'), 'maker_service_up{namespace="other",component="job"}': '1x60' },
      at: '10m',
      labels: IN_N,
      says: 'Prometheus has no metric of any service. No other alert on them can fire.',
    },
    // A canary alone is no service.
    silent: { series: INSTALLED('canary'), at: '10m' },
    absent: { series: { ...INSTALLED('job'), ...UP }, at: '10m', fires: false },
  },
  {
    alert: 'MakerAlertingWorks',
    fires: {
      series: UP,
      at: '1m',
      labels: IN_N,
      says: 'Prometheus scrapes 1 services and evaluates their rules. If this alert ends, monitoring is broken.',
    },
    silent: { series: { 'up{job="something-else"}': '1x60' }, at: '10m' },
    absent: gone({}),
  },
  {
    alert: 'MakerServiceMissing',
    fires: {
      series: {
        [`maker_service_up{${N},component="token-validation"}`]: '1x60',
        [`maker_service_up{${N},component="job"}`]: '1x60',
        [`maker_service_up{${N},component="payment-watcher"}`]: '1x60',
        [`maker_service_up{${N},component="receipts"}`]: '1x60',
        [`maker_service_up{${N},component="maker-executor"}`]: '1x3 stale',
        ...INSTALLED('token-validation', 'job', 'payment-watcher', 'maker-executor', 'receipts'),
      },
      at: '10m',
      labels: { ...IN_N, component: 'maker-executor' },
      says: 'No replica of maker-executor is scraped. Its work waits until one is back.',
    },
    silent: {
      // Another release runs the others.
      series: { ...UP, ...INSTALLED('job') },
      at: '10m',
    },
    // No service at all: MakerNothingScraped covers it.
    absent: gone(INSTALLED('job')),
  },
  {
    alert: 'MakerServiceRestarting',
    fires: {
      series: {
        [`process_start_time_seconds{${N},job="job",instance="a"}`]: '0x5 1x5 2x5 3x5 4x10',
        [`maker_service_up{${N},job="job",instance="a",component="job"}`]: '1x60',
      },
      at: '26m',
      labels: { ...IN_N, job: 'job', instance: 'a' },
      says: 'job (a) started 4 times within 30 minutes.',
    },
    // Scraped for a minute of every five.
    lasts: {
      [`process_start_time_seconds{${N},job="job",instance="a"}`]: STARTS.map((start) => `${start} stale _x3`).join(
        ' ',
      ),
      [`maker_service_up{${N},job="job",instance="a",component="job"}`]: STARTS.map(() => '1 stale _x3').join(' '),
    },
    silent: {
      series: {
        [`process_start_time_seconds{${N},job="job",instance="a"}`]: '0x10 1x20',
        [`maker_service_up{${N},job="job",instance="a",component="job"}`]: '1x60',
        // Another program's process.
        [`process_start_time_seconds{${N},job="other",instance="b"}`]: '0+1x60',
      },
      at: '26m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerReadingsFailing',
    fires: {
      series: { [`maker_service_failed_readings_total{${N},job="job"}`]: '0+3x60' },
      at: '30m',
      labels: { ...IN_N, job: 'job' },
      says: 'job could not read figures from its database. Alerts on these figures cannot fire.',
    },
    silent: { series: { [`maker_service_failed_readings_total{${N},job="job"}`]: '0x25 4x60' }, at: '30m' },
    absent: gone(),
  },
  {
    alert: 'MakerEventLoopBlocked',
    fires: {
      series: {
        [`nodejs_eventloop_lag_p99_seconds{${N},job="job",instance="a"}`]: '2.2x60',
        [`maker_service_up{${N},job="job",instance="a",component="job"}`]: '1x60',
      },
      at: '15m',
      labels: { ...IN_N, job: 'job', instance: 'a' },
      says: 'Timers of job (a) run 2s late. All its work is delayed.',
    },
    silent: {
      series: {
        [`nodejs_eventloop_lag_p99_seconds{${N},job="job",instance="a"}`]: '2x5 0.21x60',
        [`maker_service_up{${N},job="job",instance="a",component="job"}`]: '1x60',
      },
      at: '15m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerNatsDisconnected',
    because: 'one alert for several processes, or the first recovery would notify again',
    fires: {
      series: {
        ...steady(`maker_nats_connected{${N},job="job",instance="a"}`, 0),
        ...steady(`maker_nats_connected{${N},job="payment-watcher",instance="b"}`, 0),
        ...steady(`maker_nats_connected{${N},job="api-gateway",instance="c"}`, 1),
      },
      at: '5m',
      labels: IN_N,
      says: 'Processes without a connection to NATS: 2. They exchange no events and requests with other services.',
    },
    silent: { series: steady(`maker_nats_connected{${N},job="job",instance="a"}`, 1), at: '5m' },
    absent: gone(),
  },
  {
    alert: 'MakerRequestsUnanswered',
    fires: {
      series: {
        [`maker_nats_requests_total{${N},subject="job.create",outcome="answered"}`]: '0+6x60',
        [`maker_nats_requests_total{${N},subject="job.create",outcome="timeout"}`]: '0+2x60',
      },
      at: '30m',
      labels: { ...IN_N, subject: 'job.create' },
      says: 'In the last ten minutes, 25% of the requests for job.create got no answer.',
    },
    // A refusal is an answer; one timeout of two requests is too few.
    silent: {
      series: {
        [`maker_nats_requests_total{${N},subject="job.create",outcome="refused"}`]: '0+6x60',
        [`maker_nats_requests_total{${N},subject="job.stats.get",outcome="timeout"}`]: '0x25 1x60',
        [`maker_nats_requests_total{${N},subject="job.stats.get",outcome="answered"}`]: '0x25 1x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerMongoFailing',
    because: 'one alert for several services, or the first recovery would notify again',
    fires: {
      series: {
        [`maker_mongo_heartbeat_failures_total{${N},job="job"}`]: '0+3x60',
        [`maker_mongo_checkout_failures_total{${N},job="payment-watcher"}`]: '0+3x60',
      },
      at: '30m',
      labels: IN_N,
      says: 'Services without a working connection to MongoDB: 2. They record nothing, so their work waits.',
    },
    silent: {
      series: {
        [`maker_mongo_heartbeat_failures_total{${N},job="job"}`]: '0x25 2x60',
        [`maker_mongo_command_failures_total{${N},job="job",command="update"}`]: '0+9x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerMongoFailing',
    because: 'an election is over before anybody is awake',
    fires: {
      series: { [`maker_mongo_checkout_failures_total{${N},job="job"}`]: '0x20 1+1x60' },
      at: '30m',
      labels: IN_N,
      says: 'Services without a working connection to MongoDB: 1. They record nothing, so their work waits.',
    },
    silent: {
      series: {
        [`maker_mongo_checkout_failures_total{${N},job="job"}`]: '0x28 40x60',
        [`maker_mongo_heartbeat_failures_total{${N},job="job"}`]: '0x28 10x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerApiKeysRefused',
    fires: {
      series: steady(`maker_api_key_file_refused{${N},job="api-gateway",instance="a"}`, 1),
      at: '5m',
      labels: { ...IN_N, job: 'api-gateway', instance: 'a' },
      says: 'api-gateway (a) cannot use the current API key file. Removed keys still work.',
    },
    // One read of a file that was being written.
    silent: {
      series: { [`maker_api_key_file_refused{${N},job="api-gateway",instance="a"}`]: '0x25 1 0x60' },
      at: '27m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerWebhooksNotTaken',
    fires: {
      series: steady(`maker_webhook_oldest_waiting_seconds{${N}}`, 1200),
      at: '10m',
      labels: IN_N,
      says: 'A message has waited 20m 0s for an endpoint that does not accept it. The sender retries until the endpoint is removed.',
    },
    // Ten minutes of an endpoint's own restart.
    silent: { series: { [`maker_webhook_oldest_waiting_seconds{${N}}`]: '0+60x10 0x50' }, at: '30m' },
    absent: gone(),
  },
  {
    alert: 'MakerWebhookSenderMissing',
    fires: {
      series: { ...INSTALLED('webhook-sender'), [`maker_service_up{${N},component="webhook-sender"}`]: '1x3 stale' },
      at: '15m',
      labels: IN_N,
      says: 'No replica of webhook-sender is scraped. Endpoints receive their messages when one is back.',
    },
    silent: {
      series: { ...INSTALLED('webhook-sender'), [`maker_service_up{${N},component="webhook-sender"}`]: '1x60' },
      at: '30m',
    },
    // Disabled a while ago.
    absent: gone({ ...UP, [`maker_service_up{${N},component="webhook-sender"}`]: '1x3 stale' }, '30m'),
  },
  {
    alert: 'MakerWebhookEndpointsRefused',
    fires: {
      series: steady(`maker_webhook_endpoint_file_refused{${N},job="webhook-sender",instance="a"}`, 1),
      at: '5m',
      labels: { ...IN_N, job: 'webhook-sender', instance: 'a' },
      says: 'webhook-sender (a) cannot use the current file of endpoints. Removed endpoints and secrets are still used.',
    },
    // One read of a file that was being written.
    silent: {
      series: { [`maker_webhook_endpoint_file_refused{${N},job="webhook-sender",instance="a"}`]: '0x25 1 0x60' },
      at: '27m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerChainStalled',
    fires: {
      series: {
        ...steady(`maker_execution_head_timestamp_seconds{${N}}`, 0),
        ...steady(`maker_watcher_cursor_timestamp_seconds{${N}}`, 0),
      },
      at: '5m',
      labels: IN_N,
      says: 'The newest block that any service knows is 5m 0s old. No payment is seen, and no order is sent.',
    },
    // Only the executor, or both without a database.
    silent: {
      series: {
        ...steady(`maker_execution_head_timestamp_seconds{${N}}`, 0),
        [`maker_watcher_cursor_timestamp_seconds{${N}}`]: '0+60x60',
      },
      at: '5m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerChainStalled',
    because: 'without a database neither follows the chain',
    fires: {
      series: {
        ...steady(`maker_execution_head_timestamp_seconds{${N}}`, 0),
        ...steady(`maker_watcher_cursor_timestamp_seconds{${N}}`, 0),
        'ALERTS{namespace="other",alertname="MakerMongoFailing"}': '1x60',
      },
      at: '5m',
      labels: IN_N,
      says: 'The newest block that any service knows is 5m 0s old. No payment is seen, and no order is sent.',
    },
    silent: {
      series: {
        ...steady(`maker_execution_head_timestamp_seconds{${N}}`, 0),
        ...steady(`maker_watcher_cursor_timestamp_seconds{${N}}`, 0),
        [`ALERTS{${N},alertname="MakerMongoFailing"}`]: '1x60',
      },
      at: '5m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerChainHeadOld',
    fires: {
      series: steady(`maker_execution_head_timestamp_seconds{${N}}`, 0),
      at: '5m',
      labels: IN_N,
      says: 'The newest block that maker-executor knows is 5m 0s old. It sends no order.',
    },
    silent: { series: { [`maker_execution_head_timestamp_seconds{${N}}`]: '0+60x60' }, at: '30m' },
    absent: gone(),
  },
  {
    alert: 'MakerChainUnreachable',
    fires: {
      series: {
        [`maker_rpc_requests_total{${N},job="payment-watcher",method="eth_call",outcome="ok"}`]: '0+30x10 300x20',
        [`maker_rpc_requests_total{${N},job="payment-watcher",method="eth_call",outcome="timeout"}`]: '0x10 0+5x20',
      },
      at: '20m',
      labels: IN_N,
      says: 'None of 10 requests to the chain within two minutes was answered. No payment is seen, and no order is sent.',
    },
    // One of three services gets a few answers.
    silent: {
      series: {
        [`maker_rpc_requests_total{${N},job="payment-watcher",method="eth_call",outcome="timeout"}`]: '0+30x60',
        [`maker_rpc_requests_total{${N},job="maker-executor",method="eth_call",outcome="reverted"}`]: '0+1x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerRpcFailing',
    fires: {
      series: {
        [`maker_rpc_requests_total{${N},job="payment-watcher",method="eth_call",outcome="ok"}`]: '0+30x60',
        [`maker_rpc_requests_total{${N},job="payment-watcher",method="eth_call",outcome="rate_limited"}`]: '0+10x60',
      },
      at: '30m',
      labels: { ...IN_N, job: 'payment-watcher' },
      says: '25% of the requests of payment-watcher to the chain fail.',
    },
    // Reverts are answers.
    silent: {
      series: {
        [`maker_rpc_requests_total{${N},job="token-validation",method="eth_call",outcome="ok"}`]: '0+30x60',
        [`maker_rpc_requests_total{${N},job="token-validation",method="eth_call",outcome="reverted"}`]: '0+30x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerRpcFailing',
    because: 'an endpoint that refuses is asked ever more rarely',
    fires: {
      series: {
        [`maker_rpc_requests_total{${N},job="maker-executor",method="eth_call",outcome="rate_limited"}`]: '0+3x60',
      },
      at: '30m',
      labels: { ...IN_N, job: 'maker-executor' },
      says: '100% of the requests of maker-executor to the chain fail.',
    },
    silent: {
      series: {
        [`maker_rpc_requests_total{${N},job="maker-executor",method="eth_call",outcome="rate_limited"}`]: '0+1x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerRpcFailover',
    fires: {
      series: {
        [`maker_rpc_endpoint_requests_total{${N},job="payment-watcher",position="1",outcome="ok"}`]: '0+1x60',
        [`maker_rpc_endpoint_requests_total{${N},job="payment-watcher",position="2",outcome="ok"}`]: '0+3x60',
      },
      at: '40m',
      labels: { ...IN_N, job: 'payment-watcher' },
      says: 'payment-watcher gets 75% of its answers from another RPC endpoint than the first.',
    },
    silent: {
      series: {
        [`maker_rpc_endpoint_requests_total{${N},job="payment-watcher",position="1",outcome="ok"}`]: '0+3x60',
        [`maker_rpc_endpoint_requests_total{${N},job="payment-watcher",position="2",outcome="ok"}`]: '0+1x60',
      },
      at: '40m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerRpcEndpointRefused',
    fires: {
      series: {
        [`maker_rpc_endpoint_state{${N},job="maker-executor",position="2",state="forked"}`]: '1x60',
        [`maker_rpc_endpoint_state{${N},job="maker-executor",position="1",state="forked"}`]: '0x60',
      },
      at: '5m',
      labels: { ...IN_N, job: 'maker-executor', position: '2', state: 'forked' },
      says: 'Endpoint 2 of CHAIN_RPC_URLS is forked, says maker-executor. This service sends it no more requests.',
    },
    silent: {
      series: {
        [`maker_rpc_endpoint_state{${N},job="maker-executor",position="2",state="lagging"}`]: '1x60',
        [`maker_rpc_endpoint_state{${N},job="maker-executor",position="2",state="forked"}`]: '0x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerRpcEndpointLagging',
    fires: {
      series: { [`maker_rpc_endpoint_state{${N},job="payment-watcher",position="1",state="lagging"}`]: '1x60' },
      at: '30m',
      labels: { ...IN_N, job: 'payment-watcher', position: '1', state: 'lagging' },
      says: 'Endpoint 1 of CHAIN_RPC_URLS has been lagging for 15 minutes, says payment-watcher.',
    },
    // It caught up.
    silent: {
      series: { [`maker_rpc_endpoint_state{${N},job="payment-watcher",position="1",state="lagging"}`]: '1x10 0x50' },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerExchangeSetAside',
    fires: {
      series: {
        [`maker_chain_exchanges{${N},job="maker-executor",state="set_aside"}`]: '1x60',
        [`maker_chain_exchanges{${N},job="maker-executor",state="in_use"}`]: '4x60',
      },
      at: '5m',
      labels: { ...IN_N, job: 'maker-executor' },
      says: 'maker-executor has set 1 of its exchanges aside. Their orders go to other exchanges or wait.',
    },
    // It was right at the next check.
    silent: {
      series: { [`maker_chain_exchanges{${N},job="maker-executor",state="set_aside"}`]: '1x5 0x55' },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerNoExchangeLeft',
    fires: {
      series: { [`maker_chain_exchanges{${N},job="token-validation",state="in_use"}`]: '0x60' },
      at: '5m',
      labels: { ...IN_N, job: 'token-validation' },
      says: 'token-validation has set every exchange aside. No token is valid, and jobs wait until they end as failed_liquidity.',
    },
    silent: {
      series: {
        [`maker_chain_exchanges{${N},job="token-validation",state="in_use"}`]: '1x60',
        [`maker_chain_exchanges{${N},job="token-validation",state="set_aside"}`]: '4x60',
      },
      at: '30m',
    },
    absent: gone(),
  },
  {
    alert: 'MakerRpcWaiting',
    fires: {
      series: { [`maker_rpc_wait_seconds_count{${N},job="token-validation",end="given_up"}`]: '0+3x60' },
      at: '30m',
      labels: { ...IN_N, job: 'token-validation' },
      says: 'token-validation gave up 30 requests in ten minutes because they waited too long for the rate limit.',
    },
    // They waited and were sent. A start sends many requests together, so some time out.
    silent: {
      series: {
        [`maker_rpc_wait_seconds_count{${N},job="token-validation",end="sent"}`]: '0+30x60',
        [`maker_rpc_wait_seconds_count{${N},job="token-validation",end="given_up"}`]: '0 10x59',
      },
      at: '30m',
    },
    absent: gone(),
  },
  ...CANARY_CASES,
  ...SERVER_CASES,
  ...BUDGET_CASES,
];
