import { parseHype } from '@maker/rules';
import { activeJob, orderNumber, receiptOf } from '../../apps/payment/src/receipt/receipt.fixture.ts';
import { planOfBudget } from '../../libs/web-kit/testing/plan.fixture.ts';

/** The API's answer to a call: a body, a failure with its status, or none. */
export type ScreenAnswer = object | { readonly failure: number } | 'never';

/** A screen to show without a stack. Plain JSON, since the page of previews reads it. */
export interface PreviewedScreen {
  /** The same as in `SCREEN_STATES` of the browser tests. */
  readonly name: string;
  readonly path?: '/terms' | '/verify';
  /** Session storage of the tab, as after an earlier visit. */
  readonly session?: Readonly<Record<string, unknown>>;
  readonly local?: Readonly<Record<string, unknown>>;
  /** By method and path; other calls get the usual answer. */
  readonly answers?: Readonly<Record<string, ScreenAnswer>>;
  /** First words of buttons and labels to press, one after the other. */
  readonly press?: readonly string[];
  /** A remote whose files are missing. */
  readonly without?: string;
}

const wei = (hype: string) => parseHype(hype).toString();
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

const LIQUIDITY = {
  meetsMinimum: true,
  hasV2: true,
  hasV3: true,
  selectedDex: 'hyperswap-v3',
  v2LiquidityHype: 1250.5,
  v3LiquidityHype: 4821.25,
};
const TOKEN = {
  tokenAddress: `0x${'a'.repeat(40)}`,
  liquidityStatus: LIQUIDITY,
  token: { symbol: 'CAT', name: 'A token of previews', decimals: 18 },
};
const ORDERS = Array.from({ length: 60 }, (_, index) => orderNumber(index + 1));

const TRADED = { ordersPlaced: 60, tradedWei: wei('0.0228'), gasWei: wei('0.0012'), tokensBought: wei('60') };
const FLAGS = { underpaid: false, overpaid: false, late: false };

const atToken = { 'hyperevm-maker.place': { step: 'token' }, 'hyperevm-maker.draft.token': TOKEN.tokenAddress };
const atAmount = { 'hyperevm-maker.place': { step: 'amount', token: TOKEN } };
const custom = (typed: string, returnAddress = '') => ({
  ...atAmount,
  'hyperevm-maker.draft.amount': { choice: { kind: 'custom', typed }, customTyped: typed, returnAddress },
});
/** Every screen and state that a visitor can reach, at the current time: pages count down to deadlines. */
export function previews(): {
  readonly screens: readonly PreviewedScreen[];
  /** The API's answers, unless a screen overrides them. */
  readonly usual: Readonly<Record<string, ScreenAnswer>>;
} {
  const JOB = {
    jobId: `job_${'0'.repeat(32)}`,
    token: TOKEN,
    paymentAddress: `0x${'b'.repeat(40)}`,
    paymentAmountWei: wei('0.5'),
    paymentDeadline: minutesFromNow(14),
    createdAt: minutesFromNow(-1),
    plan: planOfBudget('0.5'),
    stopSecret: `stop_${'x'.repeat(32)}`,
  };
  const OVERDUE = { ...JOB, paymentDeadline: minutesFromNow(-1), createdAt: minutesFromNow(-16) };
  const withJob = (job: object = JOB) => ({ 'hyperevm-maker.jobs': { openJobId: JOB.jobId, jobs: [job] } });

  /** An unpaid job, with changes. */
  const unpaid = (changes: object = {}) =>
    activeJob({
      jobId: JOB.jobId,
      status: 'pending_payment',
      paymentReceived: false,
      receivedWei: '0',
      paymentDeadline: JOB.paymentDeadline,
      createdAt: JOB.createdAt,
      receipt: undefined,
      ...changes,
    } as never);

  const trading = (changes: object = {}) =>
    activeJob({ jobId: JOB.jobId, receipt: receiptOf({ ...TRADED, nextOrderAt: minutesFromNow(1), ...changes }) });

  /** Both calls of the page about a job: its payment and its status. */
  const job = (answer: ScreenAnswer) => ({
    [`GET /jobs/${JOB.jobId}/payment`]: answer,
    [`GET /jobs/${JOB.jobId}/status`]: answer,
  });

  const usual = {
    'GET /stats': {
      jobs: { active: 3 },
      latestJob: { tokenAddress: TOKEN.tokenAddress, createdAt: minutesFromNow(-4) },
    },
    'POST /validate-token': { isValid: true, ...TOKEN },
    'POST /plan': planOfBudget('0.75'),
    'POST /jobs/create': { ...JOB, paymentAmount: 0.5 },
    [`GET /jobs/${JOB.jobId}/orders`]: { orders: ORDERS },
    ...job(unpaid()),
  };

  const screens: Readonly<Record<string, Omit<PreviewedScreen, 'name'>>> = {
    landing: {},
    'landing-no-recent-jobs': { answers: { 'GET /stats': { jobs: { active: 0 } } } },
    'landing-returning-visitor': {
      local: { 'hyperevm-maker.jobs': { jobs: [JOB, { ...JOB, jobId: 'job_older' }] } },
    },
    token: { session: { 'hyperevm-maker.place': { step: 'token' } } },
    'token-validating': { session: atToken, answers: { 'POST /validate-token': 'never' }, press: ['VALIDATE'] },
    'token-validated': { session: atToken, press: ['VALIDATE'] },
    'token-refused': {
      session: atToken,
      answers: {
        'POST /validate-token': {
          isValid: false,
          errorMessage: 'This token cannot be sold again.',
          liquidityStatus: { meetsMinimum: false, hasV2: true, hasV3: false },
        },
      },
      press: ['VALIDATE'],
    },
    amount: { session: atAmount },
    'amount-preset': {
      session: atAmount,
      answers: { 'POST /plan': planOfBudget('1') },
      press: ['Moderate Boost', 'I '],
    },
    'amount-below-minimum': { session: custom('0.1') },
    'amount-custom': { session: custom('0.75', `0x${'c'.repeat(40)}`) },
    'amount-pool-part': {
      session: custom('1000'),
      answers: {
        'POST /plan': planOfBudget('1000', { spendableWei: wei('294'), warnings: ['pool_takes_only_part'] }),
      },
      press: ['I ', 'CONTINUE'],
    },
    'amount-creating': {
      session: custom('0.75'),
      answers: { 'POST /jobs/create': 'never' },
      press: ['I ', 'CONTINUE'],
    },
    'payment-waiting': { local: withJob() },
    'payment-address-copied': { local: withJob(), press: ['Copy Address'] },
    'payment-seen': { local: withJob(), answers: job(unpaid({ waitingWei: wei('0.5') })) },
    'payment-underpaid': {
      local: withJob({ ...JOB, stopSecret: `stop_${'a'.repeat(32)}` }),
      answers: job(unpaid({ receivedWei: wei('0.3'), startableWei: wei('0.3'), flags: { ...FLAGS, underpaid: true } })),
    },
    'payment-private-code': {
      local: withJob({ ...JOB, stopSecret: `stop_${'a'.repeat(32)}` }),
      press: ['Schedule and cancellation'],
    },
    'payment-chain-unreachable': {
      local: withJob(),
      answers: job(unpaid({ chainUnreachableSince: minutesFromNow(-5) })),
    },
    'payment-deadline-exceeded': {
      local: withJob(OVERDUE),
      answers: job(unpaid({ paymentDeadline: OVERDUE.paymentDeadline })),
    },
    'payment-late': {
      local: withJob(OVERDUE),
      answers: job(unpaid({ status: 'payment_expired', lateWei: wei('0.5'), flags: { ...FLAGS, late: true } })),
    },
    'payment-cancelled': { local: withJob(), answers: job(unpaid({ status: 'cancelled' })) },
    'payment-polling-error': { local: withJob(), answers: job({ failure: 500 }) },
    'payment-unknown-job': { local: withJob(), answers: job({ failure: 404 }) },
    'receipt-trading': { local: withJob(), answers: job(trading()) },
    'receipt-paused': {
      local: withJob(),
      answers: job(
        trading({
          nextOrderAt: undefined,
          paused: { reason: 'gas_guardrail', since: minutesFromNow(-1) },
          pauses: [
            { reason: 'price_band', since: minutesFromNow(-300), until: minutesFromNow(-270) },
            { reason: 'gas_guardrail', since: minutesFromNow(-1) },
          ],
          pausesInAll: 2,
        }),
      ),
    },
    'receipt-stop-asked': { local: withJob(), answers: job(trading()), press: ['Stop this job'] },
    'receipt-completed': {
      local: withJob(),
      answers: job({
        ...trading({
          ordersPlaced: 60,
          plannedOrders: 60,
          deliveredTokens: wei('60'),
          returnedWei: wei('0.326'),
          heldWei: '0',
          nextOrderAt: undefined,
        }),
        status: 'completed',
      }),
    },
    'receipt-overpaid': {
      local: withJob(),
      answers: job({ ...trading(), receivedWei: wei('0.65'), flags: { ...FLAGS, overpaid: true } }),
    },
    verify: { path: '/verify' },
    terms: { path: '/terms' },
    'part-unavailable': { session: { 'hyperevm-maker.place': { step: 'token' } }, without: 'token' },
  };
  return { screens: Object.entries(screens).map(([name, screen]) => ({ name, ...screen })), usual };
}
