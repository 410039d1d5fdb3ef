import { type Break, broken } from './break.ts';
import type { SentenceId } from './sentences.ts';

const app = (test: string) => ['apps/shell/src/app.spec.tsx', test] as const;
const token = (test: string) => ['apps/token/src/step.spec.tsx', test] as const;
const validation = (test: string) => ['apps/token/src/validation-outcome.spec.ts', test] as const;
const amount = (test: string) => ['apps/amount/src/step.spec.tsx', test] as const;
const payment = (test: string) => ['apps/payment/src/step.spec.tsx', test] as const;
const terms = (test: string) => ['apps/terms/src/page.spec.tsx', test] as const;
const client = (test: string) => ['libs/web-kit/src/api/api-client.spec.ts', test] as const;
const configuration = (test: string) => ['libs/web-kit/src/configuration/page-configuration.spec.ts', test] as const;
const wizard = (test: string) => ['libs/web-kit/src/wizard/wizard-state.spec.ts', test] as const;
const jobState = (test: string) => ['libs/rules/src/job-state.spec.ts', test] as const;

const SHELL = 'apps/shell/src';
const TOKEN_STEP = 'apps/token/src/step.tsx';
const VALIDATION = 'apps/token/src/validation-outcome.ts';
const AMOUNT_STEP = 'apps/amount/src/step.tsx';
const BUDGET_CARDS = 'apps/amount/src/budget-cards.tsx';
const CUSTOM_AMOUNT = 'apps/amount/src/custom-amount.tsx';
const PAY_PANEL = 'apps/payment/src/pay/pay-panel.tsx';
const TERMS = 'apps/terms/src/sections';
const STATUS = 'libs/rules/src/status-display.ts';
const ADDRESS = 'libs/rules/src/token-address.ts';
const BUDGET = 'libs/rules/src/budget.ts';
const CLIENT = 'libs/web-kit/src/api/api-client.ts';
const STEP_CALLS = 'libs/web-kit/src/api/step-calls.ts';
const CHECKS = 'libs/web-kit/src/api/answer-checks.ts';
const WIZARD = 'libs/web-kit/src/wizard/wizard-state.ts';

/** How each sentence of the specification is broken once, to see that its test fails. */
export const BREAKS: Readonly<Record<SentenceId, Break>> = {
  '1.visitor': broken(
    `${SHELL}/landing/landing.tsx`,
    'No account, no wallet to connect',
    'Sign in to begin',
    app('has headline, sub-line and a START button'),
  ),
  '1.flow': broken(
    WIZARD,
    "place.step === 'amount' ? { step: 'payment'",
    "place.step === 'token' ? { step: 'payment'",
    app('goes landing, token, amount, payment, and Back'),
  ),
  '1.stats': broken(
    `${SHELL}/landing/stat-tiles.tsx`,
    'HyperEVM Online',
    'Online',
    app('has three tiles: bots, latest token, network'),
  ),
  '1.name': broken(
    'libs/web-kit/src/configuration/page-configuration.ts',
    "'HyperEVM Maker Bot'",
    "'Maker Bot'",
    configuration('has the defaults'),
  ),

  '2.routes': broken(
    `${SHELL}/routing/path.ts`,
    "=== '/terms'",
    "=== '/tos'",
    app('has a footer with an in-page /terms link'),
  ),
  '2.order': broken(
    WIZARD,
    "? { step: 'token' } : undefined",
    "? { step: 'landing' } : undefined",
    wizard('goes landing, token, amount, payment'),
  ),
  '2.fade': broken(WIZARD, 'STEP_FADE_MS = 300', 'STEP_FADE_MS = 200', app('fades a step out for 300 ms')),
  '2.back': broken(
    WIZARD,
    "case 'amount':\n      return { step: 'token' };",
    "case 'amount':\n      return LANDING;",
    wizard('goes back one step'),
  ),
  '2.logo': broken(
    WIZARD,
    "case 'went_home':\n      return LANDING;",
    "case 'went_home':\n      return undefined;",
    wizard('returns to the landing from step'),
  ),
  '2.header': broken(
    'libs/ui/src/link/link.tsx',
    'target="_blank"',
    'target="_self"',
    app('links to social pages in a new tab'),
  ),
  '2.footer': broken(
    `${SHELL}/layout/footer.tsx`,
    'href="/terms"',
    'href="/tos"',
    app('has a footer with an in-page /terms link'),
  ),

  '2.landing.headline': broken(
    `${SHELL}/landing/landing.tsx`,
    'Increased Visibility.',
    'Visibility.',
    app('has headline, sub-line and a START button'),
  ),
  '2.landing.start': broken(
    `${SHELL}/landing/landing.tsx`,
    '\n              START\n',
    '\n              BEGIN\n',
    app('has headline, sub-line and a START button'),
  ),
  '2.landing.tiles': broken(
    `${SHELL}/landing/stat-tiles.tsx`,
    "'No recent jobs'",
    "'None'",
    app("says 'No recent jobs'"),
  ),
  '2.landing.refresh': broken(
    `${SHELL}/landing/live-stats.tsx`,
    'STATS_REFRESH_MS = 30_000',
    'STATS_REFRESH_MS = 60_000',
    app('fetches stats every 30 s and keeps old ones'),
  ),

  '2.token.form': broken(
    TOKEN_STEP,
    'Enter Token Address',
    'Token Address',
    token('has title, input and a disabled button'),
  ),
  '2.token.button': broken(
    TOKEN_STEP,
    "'VALIDATING...'",
    "'VALIDATE TOKEN'",
    token('reads VALIDATING... while it validates'),
  ),
  '2.token.success': broken(
    'apps/token/src/liquidity-lines.ts',
    'selectedDex.toUpperCase()',
    'selectedDex',
    token('shows the green check and continues after 1 second'),
  ),
  '2.token.advance': broken(
    TOKEN_STEP,
    'AUTO_ADVANCE_MS = 1000',
    'AUTO_ADVANCE_MS = 1500',
    token('shows the green check and continues after 1 second'),
  ),
  '2.token.errors': broken(
    'libs/ui/src/alert/alert.tsx',
    'notice notice--red',
    'notice notice--plain',
    token('shows errors in the red box and stays'),
  ),

  '2.amount.title': broken(
    AMOUNT_STEP,
    'Choose Your Boosting Budget',
    'Choose Your Budget',
    amount('has its title, four preset cards and custom card'),
  ),
  '2.amount.presets': broken(
    'libs/rules/src/estimate.ts',
    "'2600~4300'",
    "'2600~4333'",
    amount('has its title, four preset cards and custom card'),
  ),
  '2.amount.custom-card': broken(
    BUDGET_CARDS,
    '`Minimum ${',
    '`At least ${',
    amount('has its title, four preset cards and custom card'),
  ),
  '2.amount.custom-input': broken(
    CUSTOM_AMOUNT,
    'step={0.1}',
    'step={0.5}',
    amount('has a custom input with step, message and estimate'),
  ),
  '2.amount.terms': broken(
    AMOUNT_STEP,
    '<a href="/terms">',
    '<a href="/tos">',
    amount('enables CONTINUE for a valid amount and ticked terms'),
  ),
  '2.amount.continue': broken(
    AMOUNT_STEP,
    "'CREATING JOB...'",
    "'CONTINUE'",
    amount('shows CREATING JOB... and creates one job'),
  ),

  '2.payment.title': broken(
    'apps/payment/src/step.tsx',
    'Initiate Token Transfer',
    'Pay',
    payment('shows budget, estimate, address, job and notes'),
  ),
  '2.payment.budget': broken(
    PAY_PANEL,
    'Estimated makers: ',
    'About ',
    payment('shows budget, estimate, address, job and notes'),
  ),
  '2.payment.address': broken(
    PAY_PANEL,
    'Address copied to clipboard!',
    'Copied',
    payment('copies the address and confirms for 2 seconds'),
  ),
  '2.payment.job': broken(
    'apps/payment/src/job-information.tsx',
    'Transaction Deadline',
    'Deadline',
    payment('shows budget, estimate, address, job and notes'),
  ),
  '2.payment.notes': broken(
    'apps/payment/src/important-notes.tsx',
    'usually within 10 minutes',
    'soon',
    payment('shows budget, estimate, address, job and notes'),
  ),
  '2.payment.pill': broken(
    'apps/payment/src/follow/status-strip.tsx',
    '>{display.pill}<',
    '>{display.label}<',
    payment('has failed after the deadline, with its pill'),
  ),

  '2.terms.back': broken(
    'apps/terms/src/page.tsx',
    'onBack={onBack}',
    'onBack={onHome}',
    terms('has its title and a Back'),
  ),
  '2.terms.text': broken('apps/terms/src/page.tsx', ', ...legalSections]', ']', terms('the terms say: disputes')),

  '3.validation-request': broken(
    CLIENT,
    'body: { tokenAddress },',
    'body: { address: tokenAddress },',
    token('reads VALIDATING... while it validates'),
  ),
  '3.validation-response': broken(
    CHECKS,
    'meetsMinimum: isBoolean,',
    'meetsMinimum: isBoolean,\n      v2LiquidityWei: isWei,',
    client('requires only specified fields of a validation'),
  ),
  '3.job-request': broken(
    'apps/amount/src/submission.ts',
    'Number(formatHype(amountWei))',
    'Number(amountWei)',
    amount('shows CREATING JOB... and creates one job'),
  ),
  '3.job-response': broken(
    CHECKS,
    'paymentAmountWei: optional(isWei)',
    'paymentAmountWei: isWei',
    client('requires only specified fields of a created job'),
  ),
  '3.payment-response': broken(
    CHECKS,
    '[name, optional(check)]',
    '[name, check]',
    client('requires only specified fields of a payment'),
  ),
  '3.stats-response': broken(
    CHECKS,
    'latestJob: optional(shape({ tokenAddress: optional(isText) }))',
    'latestJob: shape({ tokenAddress: isText })',
    client('requires only specified fields of a stats'),
  ),
  '3.error-body': broken(CLIENT, "text('message')", "text('error')", client('returns the error body otherwise')),
  '3.configuration': broken(
    BUDGET,
    'export const MINIMUM_PAYMENT_WEI = WEI_PER_HYPE / 4n',
    'export const MINIMUM_PAYMENT_WEI = WEI_PER_HYPE / 5n',
    configuration('has the defaults'),
  ),

  '4.start': broken(
    `${SHELL}/wizard/wizard.tsx`,
    "type: 'started'",
    "type: 'went_home'",
    app('has headline, sub-line and a START button'),
  ),
  '4.validated': broken(
    VALIDATION,
    '!liquidityStatus?.meetsMinimum',
    '!liquidityStatus',
    token('shows errors in the red box and stays'),
  ),
  '4.created': broken(
    AMOUNT_STEP,
    'onJobCreated(openJob(',
    'void (openJob(',
    amount('shows CREATING JOB... and creates one job'),
  ),
  '4.back': broken(
    WIZARD,
    "case 'token':\n      return LANDING;",
    "case 'token':\n      return undefined;",
    wizard('goes back one step'),
  ),
  '4.values': broken(
    'libs/rules/src/job-state.ts',
    "  'cancelled',\n  'payment_expired',\n] as const",
    "  'payment_expired',\n] as const",
    jobState('has these transitions and no other'),
  ),
  '4.received': broken(
    STATUS,
    "'Transaction Received - Job Active'",
    "'Transaction Received'",
    payment('is received by the specified fields alone'),
  ),
  '4.pending': broken(
    STATUS,
    "show('yellow', 'Waiting for confirmation')",
    "show('green', 'Waiting for confirmation')",
    payment('pending_payment: yellow, Waiting for confirmation'),
  ),
  '4.pending-late': broken(
    STATUS,
    'Transaction deadline exceeded. Job has failed.',
    'Transaction deadline exceeded.',
    payment('has failed after the deadline, with its pill'),
  ),
  '4.active': broken(STATUS, 'Job Active - Trading', 'Job Active', payment('active: green, Job Active - Trading')),
  '4.completed': broken(
    STATUS,
    'Job Completed Successfully',
    'Job Completed',
    payment('completed: green, Job Completed Successfully'),
  ),
  '4.failed-liquidity': broken(
    STATUS,
    'Job Failed - Insufficient Liquidity',
    'Job Failed',
    payment('failed_liquidity: red, Job Failed - Insufficient Liquidity'),
  ),
  '4.failed-technical': broken(
    STATUS,
    'Job Failed - Technical Issue',
    'Job Failed',
    payment('failed_technical: red, Job Failed - Technical Issue'),
  ),
  '4.cancelled': broken(STATUS, 'Job Cancelled', 'Job Stopped', payment('cancelled: red, Job Cancelled')),
  '4.expired': broken(
    STATUS,
    "payment_expired: show('red'",
    "payment_expired: show('yellow'",
    payment('payment_expired: red, Transaction Failed - Deadline Exceeded'),
  ),
  '4.other': broken(
    STATUS,
    'if (!known) return WAITING;',
    'if (!known) return DEADLINE_EXCEEDED;',
    payment('rebalancing: yellow, Waiting for confirmation'),
  ),
  '4.failed-advice': broken(
    STATUS,
    'Job has failed. Please contact support if needed.',
    'Job has failed.',
    payment('cancelled: red, Job Cancelled'),
  ),
  '4.poll': broken(
    'apps/payment/src/follow/use-job.ts',
    'PAYMENT_POLL_MS = 10_000',
    'PAYMENT_POLL_MS = 15_000',
    payment('polls immediately, then every 10 s, also when completed'),
  ),

  '5.token-short': broken(ADDRESS, 'PLAUSIBLE_LENGTH = 20', 'PLAUSIBLE_LENGTH = 2', validation('refuses "0x123"')),
  '5.token-form': broken(
    ADDRESS,
    "!address.startsWith('0x') || ",
    '',
    validation('refuses "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"'),
  ),
  '5.token-server': broken(
    VALIDATION,
    'await validate(tokenAddress)',
    '{ ok: true, data: { isValid: true, liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: true } } }',
    validation('sends the address without the spaces around it'),
  ),
  '5.amount-range': broken(
    BUDGET,
    'MAXIMUM_PAYMENT_WEI = 1000n',
    'MAXIMUM_PAYMENT_WEI = 2000n',
    amount('ignores an entry above 1000'),
  ),
  '5.amount-terms': broken(
    AMOUNT_STEP,
    'form.termsAccepted && ',
    '',
    amount('enables CONTINUE for a valid amount and ticked terms'),
  ),
  '5.amount-continue': broken(
    'libs/ui/src/button/button.tsx',
    'disabled={disabled || busy}',
    'disabled={disabled}',
    amount('shows CREATING JOB... and creates one job'),
  ),
  '5.estimate': broken(
    'libs/rules/src/estimate.ts',
    'ORDER_COST_MINIMUM_WEI = (3n',
    'ORDER_COST_MINIMUM_WEI = (4n',
    amount('has a custom input with step, message and estimate'),
  ),
  '5.shortening': broken(
    ADDRESS,
    'address.slice(0, 5)',
    'address.slice(0, 6)',
    app('has three tiles: bots, latest token, network'),
  ),

  '6.no-login': broken(
    `${SHELL}/landing/landing.tsx`,
    'No account, no wallet to connect',
    'Log in to see your jobs',
    app('has headline, sub-line and a START button'),
  ),
  '6.key': broken(CLIENT, "'X-API-Key': this.apiKey, ", '', client('sends JSON, API key and request id')),
  '6.terms-only': broken(
    AMOUNT_STEP,
    'disabled={!complete}',
    "disabled={!complete || navigator.language === 'en-US'}",
    amount('enables CONTINUE for a valid amount and ticked terms'),
  ),

  '7.headers': broken(CLIENT, "'application/json'", "'text/plain'", client('sends JSON, API key and request id')),
  '7.answers': broken(
    CLIENT,
    'if (check(answer)) return { ok: true, data: answer };',
    'if (check(answer)) return { ok: false, error: NETWORK_ERROR };',
    client('yields the data of a success'),
  ),
  '7.network': broken(
    'libs/web-kit/src/api/api-result.ts',
    'Failed to connect to the API server',
    'Offline',
    client('answers a network failure'),
  ),
  '7.validate': broken(
    CLIENT,
    "'/validate-token'",
    "'/validate'",
    client('calls the six endpoints by method and path'),
  ),
  '7.create': broken(CLIENT, "'/jobs/create'", "'/jobs'", client('calls the six endpoints by method and path')),
  '7.status': broken(STEP_CALLS, ')}/status`', ')}/state`', client('calls the six endpoints by method and path')),
  '7.payment': broken(CLIENT, ')}/payment`', ')}/paid`', client('calls the six endpoints by method and path')),
  '7.stats': broken(CLIENT, "'/stats'", "'/stat'", client('calls the six endpoints by method and path')),
  '7.health': broken(CLIENT, "'/healthz'", "'/health'", client('calls the six endpoints by method and path')),

  '8.short': broken(ADDRESS, 'Please enter a valid token address', 'Too short', validation('refuses "0x123"')),
  '8.form': broken(
    ADDRESS,
    'Must be 42 characters starting with 0x',
    'Must be 42 characters',
    validation('refuses "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"'),
  ),
  '8.liquidity': broken(
    VALIDATION,
    'Token does not meet minimum liquidity requirements',
    'Too little liquidity',
    validation('falls back to minimum liquidity when'),
  ),
  '8.validation-error': broken(VALIDATION, 'Failed to validate token', 'Failed', validation('answers error')),
  '8.validation-thrown': broken(
    VALIDATION,
    'Network error. Please check your connection and try again.',
    'Network error.',
    validation('says that the network failed'),
  ),
  '8.polling': broken(
    'apps/payment/src/follow/polling-error.ts',
    'Failed to check transaction status',
    'Failed',
    payment('shows polling errors until the next success'),
  ),
  '8.creation': broken(
    AMOUNT_STEP,
    "logQuietly('Job creation failed', result.error)",
    'onBack()',
    amount('only logs a failed creation'),
  ),
  '8.stats': broken(
    `${SHELL}/landing/live-stats.tsx`,
    "logQuietly('The stats could not be read', result.error)",
    'window.alert(result.error.message)',
    app('fetches stats every 30 s and keeps old ones'),
  ),

  '9.amounts': broken(
    BUDGET,
    'FALLBACK_MINIMUM_PAYMENT_WEI = WEI_PER_HYPE / 100n',
    'FALLBACK_MINIMUM_PAYMENT_WEI = WEI_PER_HYPE / 10n',
    amount('takes a configured minimum, or 0.01 if not positive'),
  ),
  '9.times': broken(
    'libs/rules/src/deadline.ts',
    'PAYMENT_TIMEOUT_MS = 15',
    'PAYMENT_TIMEOUT_MS = 16',
    configuration('has the defaults'),
  ),
  '9.address': broken(
    ADDRESS,
    'TOKEN_ADDRESS_LENGTH = 42',
    'TOKEN_ADDRESS_LENGTH = 41',
    validation('sends the address without the spaces around it'),
  ),
  '9.terms.updated': broken('apps/terms/src/page.tsx', '26 July 2025', '27 July 2025', terms('the terms say: updated')),
  '9.terms.fee': broken(
    `${TERMS}/payment.tsx`,
    'service fee is 30%',
    'service fee is 25%',
    terms('the terms say: fee'),
  ),
  '9.terms.notice': broken(
    `${TERMS}/legal.tsx`,
    'on this page at least 7 days',
    'on this page at least 5 days',
    terms('the terms say: notice'),
  ),
  '9.terms.gas': broken(
    `${TERMS}/service.tsx`,
    'at or below 10 gwei',
    'at or below 9 gwei',
    terms('the terms say: gas'),
  ),
  '9.terms.age': broken(`${TERMS}/legal.tsx`, '18 years old', '16 years old', terms('the terms say: age')),
  '9.terms.jurisdictions': broken(`${TERMS}/legal.tsx`, "  'Belarus',\n", '', terms('the terms say: jurisdictions')),
  '9.terms.liability': broken(`${TERMS}/legal.tsx`, 'the 6 months', 'the 12 months', terms('the terms say: liability')),
  '9.terms.disputes': broken(
    `${TERMS}/legal.tsx`,
    'before a single arbitrator',
    'before three arbitrators',
    terms('the terms say: disputes'),
  ),
  '9.terms.wallets': broken(
    `${TERMS}/payment.tsx`,
    'controlled by the provider: we',
    'yours: we',
    terms('the terms say: wallets'),
  ),
};
