/**
 * The sentences of the specification, by section and number. A browser test names the ones that it proves:
 * `holds('2.landing.start')`.
 */
export const SENTENCES = {
  '1.visitor': 'Any visitor can use it.',
  '1.flow':
    'The flow: validate a token, choose a budget, create a job, pay manually to a generated address, and watch the payment status.',
  '1.stats':
    "The landing page shows live stats: the number of active bots, the latest job token as a shortened address, and a fixed network indicator reading 'HyperEVM Online'.",
  '1.name': "The app name in the client configuration is 'HyperEVM Maker Bot'.",

  '2.routes': "Routes: '/' is the main wizard; '/terms' is the Terms of Service page. No route has parameters.",
  '2.order': 'The main page has four steps in this order: landing, token, amount, payment.',
  '2.fade': 'Changes between steps fade out for 300 ms.',
  '2.back': 'Back goes one step earlier in that order.',
  '2.logo': 'The logo button returns to landing.',
  '2.header': 'Header links to a social page and a messaging channel open in a new tab.',
  '2.footer': "The footer says 'By continuing, you accept our Terms of Service'; its link opens /terms.",

  '2.landing.headline':
    "Headline 'Boosted Activity. Increased Visibility.' with a sub-line about micro-level activity.",
  '2.landing.start': 'A START button that goes to the token step.',
  '2.landing.tiles':
    "Three stat tiles: Active Bots; Latest Job, shown as '#' plus a shortened address, or 'No recent jobs'; Network.",
  '2.landing.refresh': 'Stats are fetched on load and refreshed every 30 seconds.',

  '2.token.form': "Title 'Enter Token Address', a text input with placeholder 0x..., and a VALIDATE TOKEN button.",
  '2.token.button': 'The button is disabled while the input is empty and reads VALIDATING... while busy.',
  '2.token.success':
    "On success: a green check, 'Token validated successfully! Proceeding...', the chosen exchange in upper case (or 'Auto-selected'), and 'V2 Liquidity' and 'V3 Liquidity' lines in HYPE (or 'Available' when no figure is given).",
  '2.token.advance': 'After 1 second it moves to the amount step.',
  '2.token.errors': 'Errors appear in a red box.',

  '2.amount.title': "Title 'Choose Your Boosting Budget'.",
  '2.amount.presets':
    'Preset cards: 0.5 HYPE Light Boost 500~830; 1 HYPE Moderate Boost 1200~2000; 2 HYPE Strong Boost 2600~4300; 5 HYPE Extended Boost 6800~11300.',
  '2.amount.custom-card': "A Custom Amount card shows 'Minimum {min} HYPE'.",
  '2.amount.custom-input':
    "Custom mode shows a number input (step 0.1, placeholder 'Enter amount (min {min})...'), a red 'Minimum amount is {min} HYPE' message when below the minimum, and an estimate line when the amount is valid.",
  '2.amount.terms': 'There is a terms checkbox with a link to /terms,',
  '2.amount.continue': 'and a CONTINUE button that reads CREATING JOB... while busy.',

  '2.payment.title': "Title 'Initiate Token Transfer'.",
  '2.payment.budget': 'It shows: the desired budget in HYPE with its estimate;',
  '2.payment.address':
    "the payment wallet address with a copy button (confirmation 'Address copied to clipboard!' for 2 seconds);",
  '2.payment.job':
    'a Job Information box with Job ID, Transaction Deadline (local date and time) and a coloured Status;',
  '2.payment.notes':
    'an Important Notes list: the transfer is auto-detected once confirmed on-chain; manual transfer only, no QR codes or wallet integration; the bot starts on detection, usually within 10 minutes; if the transfer is not detected within 15 minutes, contact support;',
  '2.payment.pill': 'a status pill and a red box for polling errors.',

  '2.terms.back': "A Back button goes to the previous history entry; the logo goes to '/'.",
  '2.terms.text': 'The full Terms of Service text is shown (see section 9).',

  '3.validation-request': 'Token validation request: tokenAddress.',
  '3.validation-response':
    'Token validation response (fields read): isValid, errorMessage, liquidityStatus {meetsMinimum, hasV2, hasV3, selectedDex, v2LiquidityHype, v3LiquidityHype}.',
  '3.job-request': 'Job creation request: tokenAddress, paymentAmount (number, in HYPE).',
  '3.job-response': 'Job creation response: jobId, paymentAddress, paymentAmount, paymentDeadline (date-time).',
  '3.payment-response': 'Payment status response: status, paymentReceived (boolean).',
  '3.stats-response': 'Stats response: jobs.active (count), latestJob.tokenAddress (optional).',
  '3.error-body': 'Error body: message and an error field.',
  '3.configuration':
    "Client configuration: API base URL; an API key sent with every request; a bot wallet address; minimum payment 0.25 (falls back to 0.01 if not positive); payment timeout 15 minutes; app name 'HyperEVM Maker Bot'.",

  '4.start': 'landing to token: START.',
  '4.validated': 'token to amount: after a successful validation with sufficient liquidity, after 1 second.',
  '4.created': 'amount to payment: after job creation succeeds.',
  '4.back': 'Back: one step earlier.',
  '4.values':
    'Job/payment status values: pending_payment (initial), active, completed, failed_liquidity, failed_technical, cancelled, payment_expired.',
  '4.received':
    "When paymentReceived is true, the display is 'Transaction Received - Job Active' in green, whatever the status.",
  '4.pending': 'pending_payment, before deadline: yellow, Waiting for confirmation',
  '4.pending-late':
    "pending_payment, after deadline: red, Transaction Failed - Deadline Exceeded (pill: 'Transaction deadline exceeded. Job has failed.')",
  '4.active': 'active: green, Job Active - Trading',
  '4.completed': 'completed: green, Job Completed Successfully',
  '4.failed-liquidity': 'failed_liquidity: red, Job Failed - Insufficient Liquidity',
  '4.failed-technical': 'failed_technical: red, Job Failed - Technical Issue',
  '4.cancelled': 'cancelled: red, Job Cancelled',
  '4.expired': 'payment_expired: red, Transaction Failed - Deadline Exceeded',
  '4.other': 'any other: yellow, Waiting for confirmation',
  '4.failed-advice': "The failed and cancelled states show 'Job has failed. Please contact support if needed.'",
  '4.poll': 'Payment status is polled immediately, then every 10 seconds.',

  '5.token-short': "Token address: empty or shorter than 20 characters gives 'Please enter a valid token address'.",
  '5.token-form':
    "Not starting with 0x, or not exactly 42 characters, gives 'Invalid token address format. Must be 42 characters starting with 0x'.",
  '5.token-server': 'The server then validates it.',
  '5.amount-range':
    'Amount: a preset, or a custom number of at least the minimum (0.25) and at most 1000. The custom input ignores entries above 1000.',
  '5.amount-terms': 'The terms checkbox must be ticked.',
  '5.amount-continue':
    'CONTINUE is enabled only when all of these hold and no job is being created. If the amount is under the minimum, continue does nothing.',
  '5.estimate':
    'Maker estimate for a custom amount: lower bound floor((amount*0.7-0.1)/0.0005); upper bound floor((amount*0.7-0.1)/0.0003).',
  '5.shortening': "Address display shortening: first 5 characters, '...', last 2 characters.",

  '6.no-login': 'No roles or login are shown. Every visitor can use the whole flow.',
  '6.key': 'The client sends a fixed API key header with each request.',
  '6.terms-only': 'The terms forbid certain jurisdictions and under-18s, but no client-side enforcement is shown.',

  '7.headers': 'All calls go to the configured backend base URL with JSON content type and an X-API-Key header.',
  '7.answers': 'A success status yields the data; otherwise the error body is returned.',
  '7.network': "A network failure yields error 'Network error' with message 'Failed to connect to the API server'.",
  '7.validate':
    'POST /validate-token with {tokenAddress}; reads isValid, errorMessage, liquidityStatus; the token step.',
  '7.create':
    'POST /jobs/create with {tokenAddress, paymentAmount}; reads jobId, paymentAddress, paymentAmount, paymentDeadline; the amount step.',
  '7.status': 'GET /jobs/{jobId}/status: defined.',
  '7.payment': 'GET /jobs/{jobId}/payment; reads status, paymentReceived; polled every 10 s.',
  '7.stats': 'GET /stats; reads jobs.active, latestJob.tokenAddress; polled every 30 s.',
  '7.health': 'GET /healthz: defined.',

  '8.short': "'Please enter a valid token address'.",
  '8.form': "'Invalid token address format. Must be 42 characters starting with 0x'.",
  '8.liquidity':
    "Validation reply invalid or under minimum: the server errorMessage, or 'Token does not meet minimum liquidity requirements'.",
  '8.validation-error': "Validation error reply: the server message or 'Failed to validate token'.",
  '8.validation-thrown':
    "Thrown failure during validation: 'Network error. Please check your connection and try again.'",
  '8.polling':
    "Payment polling errors: the server message or 'Failed to check transaction status', or 'Network error while checking transaction status', in a red box; the error clears on the next success.",
  '8.creation': 'Job creation failure: only logged, no user message; the user stays on the amount step.',
  '8.stats': 'Stats failure: logged silently.',

  '9.amounts': 'Minimum payment 0.25 HYPE (fallback 0.01); maximum custom amount 1000; presets 0.5, 1, 2, 5 HYPE.',
  '9.times':
    'Payment timeout 15 minutes; stats refresh 30 s; payment poll 10 s; step fade 300 ms; auto-advance 1 s after validation; copy message 2 s.',
  '9.address': 'Token address length 42 with 0x prefix.',
  '9.terms.updated': 'Terms of Service (last updated 26 July 2025):',
  '9.terms.fee': 'Service fee is 30% of the deposit, immediate and non-refundable.',
  '9.terms.notice': "Fee changes need 7 days' notice. Terms changes are posted at least 7 days before taking effect.",
  '9.terms.gas':
    'Max-gas guardrail: the job pauses when base plus priority fee is above 10 gwei and resumes at or below it.',
  '9.terms.age': 'Users must be at least 18.',
  '9.terms.jurisdictions':
    'Prohibited jurisdictions: the United States and territories, Canada, Cuba, Iran, Syria, North Korea, Belarus, Russia, Crimea/Donetsk/Luhansk, Sudan and South Sudan, Venezuela, Myanmar, Afghanistan, and any comprehensively sanctioned region.',
  '9.terms.liability': 'Provider liability is capped at service fees received in the prior 6 months.',
  '9.terms.disputes': 'Disputes go to binding online arbitration with a single arbitrator, with a class-action waiver.',
  '9.terms.wallets': 'Job wallets are provider-controlled and transactions are irreversible.',
} as const;

/** Name of a sentence: its section, its screen if the section has several, and its subject. */
export type SentenceId = keyof typeof SENTENCES;

/**
 * Sentences without a requirement, since they state what is unknown or not done: 'A fallback route is not shown', 'Which
 * transitions the server performs is not shown', 'Server behaviour beyond these replies is not shown', and the
 * introduction before section 1.
 */
export const UNBINDING = [
  'A fallback route is not shown.',
  'Which transitions the server performs is not shown.',
  'Server behaviour beyond these replies is not shown.',
] as const;
