import {
  commandLogQuerySchema,
  commandLogResponseSchema,
  createJobRequestSchema,
  createJobResponseSchema,
  type FailureCode,
  healthResponseSchema,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKeySchema,
  jobOrdersQuerySchema,
  jobOrdersResponseSchema,
  jobPaymentResponseSchema,
  jobPlanSchema,
  jobStatusResponseSchema,
  operatorActionsQuerySchema,
  operatorActionsResponseSchema,
  operatorCommandRequestSchema,
  operatorCommandResponseSchema,
  operatorExportQuerySchema,
  operatorJobResponseSchema,
  operatorJobsQuerySchema,
  operatorJobsResponseSchema,
  operatorQuerySchema,
  planRequestSchema,
  reconciliationResponseSchema,
  redeliverRequestSchema,
  signedCommandSchema,
  statsResponseSchema,
  stopJobRequestSchema,
  stopJobResponseSchema,
  validateTokenRequestSchema,
  validateTokenResponseSchema,
  webhookDeliveriesQuerySchema,
  webhookDeliveriesResponseSchema,
  webhookEndpointsResponseSchema,
} from '@maker/contracts';
import { z } from 'zod';

/** One operation of the API, as the OpenAPI document tells it. */
export interface RouteDescription {
  readonly method: 'get' | 'post';
  /** With parameters in braces, such as '/jobs/{jobId}/payment'. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Needs no API key. */
  readonly isPublic?: true;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** By name; none of them is required. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema: z.ZodType;
    /** 'application/json' unless given. */
    readonly mediaType?: string;
  };
  /** Codes beyond those that every route with an API key can answer. */
  readonly failures: readonly FailureCode[];
}

const DOWN: readonly FailureCode[] = ['SERVICE_UNAVAILABLE', 'SERVICE_TIMEOUT'];
const BODY: readonly FailureCode[] = ['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const ok = (description: string, schema: z.ZodType, mediaType?: string) => ({
  status: 200,
  description,
  schema,
  ...(mediaType ? { mediaType } : {}),
});

/** One server-sent event. */
const STATUS_EVENT = z.object({
  event: z.literal('status'),
  id: z.string(),
  data: z.string().meta({ contentMediaType: 'application/json', description: 'The body of getJobStatus' }),
});

/** Codes that every route with an API key can answer. */
export const COMMON_FAILURES: readonly FailureCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'TOO_MANY_REQUESTS', 'INTERNAL'];

/** An operator's command: its answer is the same for all of them. */
const command = (path: string, operationId: string, summary: string): RouteDescription => ({
  method: 'post',
  path,
  operationId,
  summary: `${summary} (operator)`,
  body: operatorCommandRequestSchema,
  success: ok('What it did', operatorCommandResponseSchema),
  failures: [...BODY, ...(path.includes('{jobId}') ? (['JOB_NOT_FOUND', 'NOT_POSSIBLE_NOW'] as const) : []), ...DOWN],
});

/** Operators' queries and commands; each needs a key with the scope `operator`. */
export const OPERATOR_ROUTES: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/operator/jobs',
    operationId: 'listOperatorJobs',
    summary: 'Jobs newest first, the page before a time (operator)',
    query: operatorJobsQuerySchema,
    success: ok('One page', operatorJobsResponseSchema),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  {
    method: 'get',
    path: '/operator/jobs.csv',
    operationId: 'exportJobs',
    summary: 'Every job as CSV (operator)',
    query: operatorExportQuerySchema,
    success: ok('The jobs', z.string(), 'text/csv'),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  {
    method: 'get',
    path: '/operator/jobs/{jobId}',
    operationId: 'getOperatorJob',
    summary: 'A job with its timeline (operator)',
    query: operatorQuerySchema,
    success: ok('The job', operatorJobResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/operator/jobs/{jobId}/reconciliation',
    operationId: 'reconcileJob',
    summary: "A job's ledger beside the chain, explained (operator)",
    query: operatorQuerySchema,
    success: ok('The comparison', reconciliationResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/operator/jobs/{jobId}/ledger.csv',
    operationId: 'exportLedger',
    summary: "A job's ledger as CSV (operator)",
    query: operatorExportQuerySchema,
    success: ok('The ledger', z.string(), 'text/csv'),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/operator/actions',
    operationId: 'listOperatorActions',
    summary: "The operators' audit log, newest first (operator)",
    query: operatorActionsQuerySchema,
    success: ok('The newest lines', operatorActionsResponseSchema),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  {
    method: 'get',
    path: '/operator/commands',
    operationId: 'listSignedCommands',
    summary: 'The log of signed commands, each row with the hash of the one before, oldest first (operator)',
    query: commandLogQuerySchema,
    success: ok('Rows after a number', commandLogResponseSchema),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  {
    method: 'post',
    path: '/operator/commands',
    operationId: 'carryOutCommand',
    summary: 'Carries out a command that operators have signed: cancel, return, release, resume (operator)',
    body: signedCommandSchema,
    success: ok('What it did', operatorCommandResponseSchema),
    failures: [...BODY, 'JOB_NOT_FOUND', 'NOT_POSSIBLE_NOW', 'COMMAND_REFUSED', ...DOWN],
  },
  command('/operator/jobs/{jobId}/pause', 'pauseJob', 'Signs nothing more for a job until it is resumed'),
  command(
    '/operator/jobs/{jobId}/rebroadcast',
    'rebroadcastJob',
    'Sends the saved bytes of waiting transactions again',
  ),
  command(
    '/operator/jobs/{jobId}/hypercore/look',
    'lookOnHyperCore',
    "Asks HyperCore once more what it holds at a job's address",
  ),
  command('/operator/pause', 'pauseAll', 'Signs nothing more for any job until resumed'),
  {
    method: 'get',
    path: '/operator/webhooks',
    operationId: 'listWebhookEndpoints',
    summary: 'Endpoints of webhooks, and what they have not taken (operator)',
    success: ok('The endpoints', webhookEndpointsResponseSchema),
    failures: DOWN,
  },
  {
    method: 'get',
    path: '/operator/webhooks/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'Messages to endpoints with their attempts and answers, newest event first (operator)',
    query: webhookDeliveriesQuerySchema,
    success: ok('The newest', webhookDeliveriesResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'post',
    path: '/operator/webhooks/redeliver',
    operationId: 'redeliverWebhooks',
    summary: 'Delivers messages to an endpoint again, under the same ids (operator)',
    body: redeliverRequestSchema,
    success: ok('What it did', operatorCommandResponseSchema),
    failures: [...BODY, 'NOT_FOUND', 'NOT_POSSIBLE_NOW', ...DOWN],
  },
];

/** Every operation of the API. A spec holds this list to the routes that the server really has. */
export const ROUTES: readonly RouteDescription[] = [
  {
    method: 'post',
    path: '/validate-token',
    operationId: 'validateToken',
    summary: 'Whether a token can be traded, and where its liquidity is',
    body: validateTokenRequestSchema,
    success: ok('The verdict', validateTokenResponseSchema),
    failures: [...BODY, ...DOWN],
  },
  {
    method: 'post',
    path: '/plan',
    operationId: 'planJob',
    summary: 'What a job for this budget would do; refused where the job would be',
    body: planRequestSchema,
    success: ok('The plan', jobPlanSchema),
    failures: [...BODY, 'AMOUNT_OUT_OF_RANGE', 'TOKEN_NOT_TRADABLE', 'NO_CAPACITY', ...DOWN],
  },
  {
    method: 'post',
    path: '/jobs/create',
    operationId: 'createJob',
    summary: 'Creates a job and its payment address; a repeated Idempotency-Key answers with the first job',
    body: createJobRequestSchema,
    headers: { [IDEMPOTENCY_KEY_HEADER]: idempotencyKeySchema },
    success: { status: 201, description: 'The job', schema: createJobResponseSchema },
    failures: [
      ...BODY,
      'AMOUNT_OUT_OF_RANGE',
      'TOKEN_NOT_TRADABLE',
      'IDEMPOTENCY_KEY_REUSED',
      'TOO_MANY_OPEN_JOBS',
      'NO_CAPACITY',
      ...DOWN,
    ],
  },
  {
    method: 'post',
    path: '/jobs/{jobId}/stop',
    operationId: 'stopJob',
    summary: 'Ends a job for whoever has the secret of its creation; may be repeated',
    body: stopJobRequestSchema,
    success: ok('What happens now', stopJobResponseSchema),
    failures: [...BODY, 'JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/jobs/{jobId}/payment',
    operationId: 'getJobPayment',
    summary: 'What was paid so far',
    success: ok('The payment', jobPaymentResponseSchema),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/jobs/{jobId}/status',
    operationId: 'getJobStatus',
    summary: 'Payment, status and receipt; receiptUnavailable says that the receipt could not be read now',
    success: ok('The status', jobStatusResponseSchema),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/jobs/{jobId}/orders',
    operationId: 'listJobOrders',
    summary: 'Orders after a number, in ascending order',
    query: jobOrdersQuerySchema,
    success: ok('One page', jobOrdersResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/jobs/{jobId}/receipt.csv',
    operationId: 'downloadReceipt',
    summary: 'Every transfer and order as CSV, with hash, price and cost',
    success: ok('The receipt', z.string(), 'text/csv'),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  {
    method: 'get',
    path: '/jobs/{jobId}/receipt.json',
    operationId: 'downloadSignedReceipt',
    summary: "The receipt file that the job's own wallet signed, to be checked with nothing but an RPC endpoint",
    success: ok(
      'The file; its form is docs/receipt.md',
      z.object({ receipt: z.looseObject({}), signature: z.string() }),
    ),
    failures: ['JOB_NOT_FOUND', 'NOT_POSSIBLE_NOW', ...DOWN],
  },
  {
    method: 'get',
    path: '/jobs/{jobId}/events',
    operationId: 'followJob',
    summary: "Server-sent events named 'status' with the body of getJobStatus; ends when the job has ended",
    success: ok('The stream, described by one event of it', STATUS_EVENT, 'text/event-stream'),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  ...OPERATOR_ROUTES,
  {
    method: 'get',
    path: '/stats',
    operationId: 'getStats',
    summary: 'Figures of the landing page',
    success: ok('The figures', statsResponseSchema),
    failures: DOWN,
  },
  {
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Whether the API can work',
    isPublic: true,
    success: ok('It can', healthResponseSchema),
    failures: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    isPublic: true,
    success: ok('The document', z.record(z.string(), z.unknown())),
    failures: [],
  },
];
