import type { AlertCase, AlertSituation } from './alert-case.ts';

const N = 'namespace="n"';

/** Samples that fill the longest window of each burn. */
const STEPS = 74;
/** Requests or jobs in a minute: far above every floor. */
const PER_MINUTE = 1000;

/** Two windows for a page, two for a ticket. Only the windows of its name distinguish each burn from an allowed one. */
const BURNS = [
  { name: 'fast, over an hour', burn: 'page', times: 20, everyMinutes: 1 },
  { name: 'slower, over six hours', burn: 'page', times: 10, everyMinutes: 5 },
  { name: 'over a day', burn: 'ticket', times: 4, everyMinutes: 20 },
  { name: 'over three days', burn: 'ticket', times: 2, everyMinutes: 60 },
] as const;

/** An objective about events, with the series that count all, good and bad ones. */
interface Budget {
  readonly alert: string;
  readonly level: string;
  /** Allowed share of bad events. */
  readonly share: number;
  /** Series with given events per step, in promtool's notation. */
  series(all: string, bad: string, good: string): AlertSituation['series'];
  /** Bad events of one quiet hour that must not page. */
  readonly quiet: number;
  says(percent: string): string;
}

const histogram = (name: string, labels: string, bound: string) => (all: string, _: string, good: string) => ({
  [`${name}_count{${N}${labels}}`]: all,
  [`${name}_bucket{${N}${labels},le="${bound}"}`]: good,
});

const BUDGETS: readonly Budget[] = [
  {
    alert: 'MakerApiErrorBudgetBurn',
    level: 'api-availability',
    share: 0.001,
    series: (_, bad, good) => ({
      [`maker_http_requests_total{${N},method="GET",route="/stats",status="200"}`]: good,
      [`maker_http_requests_total{${N},method="GET",route="/stats",status="503"}`]: bad,
    }),
    quiet: 9,
    says: (percent) => `${percent} of the API requests fail. The objective allows 0.1% over 30 days.`,
  },
  {
    alert: 'MakerApiLatencyBudgetBurn',
    level: 'api-latency',
    share: 0.01,
    series: histogram('maker_http_request_duration_seconds', ',method="GET",route="/stats"', '0.5'),
    quiet: 20,
    says: (percent) => `${percent} of the reads take longer than half a second. The objective allows 1% over 30 days.`,
  },
  {
    alert: 'MakerPaymentSeenBudgetBurn',
    level: 'payment-seen',
    share: 0.001,
    series: histogram('maker_payment_detection_lag_blocks', ',kind="transfer"', '10'),
    quiet: 2,
    says: (percent) =>
      `${percent} of the payments are credited more than ten blocks late. The objective allows 0.1% over 30 days.`,
  },
  {
    alert: 'MakerFirstOrderBudgetBurn',
    level: 'first-order',
    share: 0.01,
    series: histogram('maker_execution_first_order_seconds', '', '60'),
    quiet: 2,
    says: (percent) =>
      `${percent} of the paid jobs wait longer than a minute for their first order. The objective allows 1% over 30 days.`,
  },
  {
    alert: 'MakerMoneyReturnedBudgetBurn',
    level: 'money-returned',
    share: 0.01,
    series: histogram('maker_execution_return_seconds', '', '120'),
    quiet: 2,
    says: (percent) =>
      `${percent} of the ended jobs return the rest after more than two minutes. The objective allows 1% over 30 days.`,
  },
];

const labelsOf = (level: string) => ({
  namespace: 'n',
  sloth_id: `maker-${level}`,
  sloth_service: 'maker',
  sloth_slo: level,
});
const gone = (at: string) => ({
  series: { [`maker_service_up{${N},component="job"}`]: `1x${STEPS}` },
  at,
  fires: false,
});
const rising = (perStep: number) => `0+${perStep}x${STEPS}`;

function burnsOf({ alert, level, share, series, quiet, says }: Budget): AlertCase[] {
  return BURNS.map(({ name, burn, times, everyMinutes }) => {
    const at = `${STEPS * everyMinutes}m`;
    const all = PER_MINUTE * everyMinutes;
    const bad = all * share * times;
    const few = `0x${STEPS - 3} ${quiet}x10`;
    return {
      alert,
      burn,
      because: name,
      everyMinutes,
      fires: {
        series: series(rising(all), rising(bad), rising(all - bad)),
        at,
        labels: labelsOf(level),
        says: says(`${Number((share * times * 100).toFixed(6))}%`),
      },
      // A few in a quiet hour are a large share, but no reason to page.
      silent: { series: series(few, few, `0x${STEPS + 7}`), at },
      absent: gone(at),
    };
  });
}

/** Failures that have ended stop paging: the short window no longer contains them. */
const FORGOTTEN: AlertCase = {
  alert: 'MakerApiErrorBudgetBurn',
  burn: 'page',
  because: 'and ended',
  fires: {
    series: {
      [`maker_http_requests_total{${N},method="POST",route="/jobs/create",status="201"}`]: '0+10x70',
      [`maker_http_requests_total{${N},method="POST",route="/jobs/create",status="500"}`]: '0+10x70',
    },
    at: '70m',
    labels: labelsOf('api-availability'),
    says: '50% of the API requests fail. The objective allows 0.1% over 30 days.',
  },
  silent: {
    series: {
      [`maker_http_requests_total{${N},method="POST",route="/jobs/create",status="201"}`]: '0+10x90',
      [`maker_http_requests_total{${N},method="POST",route="/jobs/create",status="500"}`]: '0+10x50 500x40',
    },
    at: '70m',
  },
  absent: gone('70m'),
};

/** A share of time, not of events: a wallet that differs now, and one that differed briefly, long ago. */
const LEDGER: readonly AlertCase[] = BURNS.map(({ name, burn, everyMinutes }) => {
  const at = `${STEPS * everyMinutes}m`;
  const drifting = `maker_wallet_ledger_drifting{${N}}`;
  return {
    alert: 'MakerLedgerBudgetBurn',
    burn,
    because: name,
    everyMinutes,
    fires: {
      series: { [drifting]: `0x${STEPS - 8} 1x8` },
      at,
      labels: labelsOf('ledger-equal'),
      says: "For 100% of the time, a wallet's balance differs from its ledger. The objective allows 0.1% over 30 days.",
    },
    silent: { series: { [drifting]: `0x3 1 0x${STEPS}` }, at },
    absent: gone(at),
  };
});

/** Every alert on a budget: a burn of each window that fires, and cases that do not fire. */
export const BUDGET_CASES: readonly AlertCase[] = [...BUDGETS.flatMap(burnsOf), FORGOTTEN, ...LEDGER];
