import { z } from 'zod';
import {
  createJobRequestSchema,
  createJobResponseSchema,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKeySchema,
} from '../http/create-job.ts';
import { jobPaymentResponseSchema } from '../http/job-payment.ts';
import { jobOrdersQuerySchema, jobOrdersResponseSchema, jobStatusResponseSchema } from '../http/job-status.ts';
import { jobsQuerySchema, jobsResponseSchema } from '../http/list-jobs.ts';
import { jobPlanSchema, planRequestSchema } from '../http/plan.ts';
import { changeReturnAddressRequestSchema, changeReturnAddressResponseSchema } from '../http/return-address.ts';
import { startJobRequestSchema, startJobResponseSchema } from '../http/start-job.ts';
import { healthResponseSchema, statsResponseSchema } from '../http/stats.ts';
import { stopJobRequestSchema, stopJobResponseSchema } from '../http/stop-job.ts';
import { validateTokenRequestSchema, validateTokenResponseSchema } from '../http/validate-token.ts';
import { BODY, DOWN, type Endpoint, ok } from './endpoint.ts';

const STATUS_EVENT = z.object({
  event: z.literal('status').describe('Name of the event.'),
  data: z.string().meta({ contentMediaType: 'application/json', description: 'The body of getJobStatus.' }),
});

/** Operations for visitors and their programs. All but the public ones need a key with the scope `public`. */
export const VISITOR_ENDPOINTS = {
  validateToken: {
    method: 'POST',
    path: '/validate-token',
    summary: 'Whether a token can be traded, and where its liquidity is',
    body: validateTokenRequestSchema,
    success: ok('The verdict', validateTokenResponseSchema),
    failures: [...BODY, ...DOWN],
  },
  planJob: {
    method: 'POST',
    path: '/plan',
    summary: 'What a job for this budget would do; refused if the job would be refused',
    body: planRequestSchema,
    success: ok('The plan', jobPlanSchema),
    failures: [
      ...BODY,
      'AMOUNT_OUT_OF_RANGE',
      'TOKEN_NOT_TRADABLE',
      'NO_CAPACITY',
      'OVERLOADED',
      'PRICE_UNCONFIRMED',
      ...DOWN,
    ],
  },
  createJob: {
    method: 'POST',
    path: '/jobs/create',
    summary: 'Creates a job and its payment address; a repeated Idempotency-Key answers with the first job',
    body: createJobRequestSchema,
    headers: { [IDEMPOTENCY_KEY_HEADER]: idempotencyKeySchema },
    success: { status: 201, description: 'The job', schema: createJobResponseSchema },
    failures: [
      ...BODY,
      'AMOUNT_OUT_OF_RANGE',
      'TOKEN_NOT_TRADABLE',
      'RETURN_ADDRESS_REFUSED',
      'RETURN_ADDRESS_IS_CONTRACT',
      'IDEMPOTENCY_KEY_REUSED',
      'TOO_MANY_OPEN_JOBS',
      'NO_CAPACITY',
      'OVERLOADED',
      'PRICE_UNCONFIRMED',
      'XPUB_MISMATCH',
      'AGREEMENT_INVALID',
      ...DOWN,
    ],
  },
  listJobs: {
    method: 'GET',
    path: '/jobs',
    summary: 'Jobs that your API key created, newest first; a public API key lists none',
    query: jobsQuerySchema,
    success: ok('One page', jobsResponseSchema),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  stopJob: {
    method: 'POST',
    path: '/jobs/{jobId}/stop',
    summary: 'Ends a job for the holder of its stop secret; may be repeated',
    body: stopJobRequestSchema,
    success: ok('What happens now', stopJobResponseSchema),
    failures: [...BODY, 'JOB_NOT_FOUND', ...DOWN],
  },
  startJob: {
    method: 'POST',
    path: '/jobs/{jobId}/start',
    summary: 'Starts a job with the money that has arrived, for the holder of its stop secret; may be repeated',
    body: startJobRequestSchema,
    success: ok('The started job', startJobResponseSchema),
    failures: [...BODY, 'JOB_NOT_FOUND', 'NOT_POSSIBLE_NOW', ...DOWN],
  },
  changeReturnAddress: {
    method: 'POST',
    path: '/jobs/{jobId}/return-address',
    summary:
      'Sets where tokens and change go, for the holder of the stop secret; after a payment of an unknown payer, proposes it to operators',
    body: changeReturnAddressRequestSchema,
    success: ok('Where they go now', changeReturnAddressResponseSchema),
    failures: [
      ...BODY,
      'JOB_NOT_FOUND',
      'NOT_POSSIBLE_NOW',
      'RETURN_ADDRESS_REFUSED',
      'RETURN_ADDRESS_IS_CONTRACT',
      ...DOWN,
    ],
  },
  getJobPayment: {
    method: 'GET',
    path: '/jobs/{jobId}/payment',
    summary: 'The payment so far',
    success: ok('The payment', jobPaymentResponseSchema),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  getJobStatus: {
    method: 'GET',
    path: '/jobs/{jobId}/status',
    summary: 'Payment, status and receipt; receiptUnavailable: the receipt cannot be read now',
    success: ok('The status', jobStatusResponseSchema),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  listJobOrders: {
    method: 'GET',
    path: '/jobs/{jobId}/orders',
    summary: 'Orders after a number, in ascending order',
    query: jobOrdersQuerySchema,
    success: ok('One page', jobOrdersResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  downloadReceipt: {
    method: 'GET',
    path: '/jobs/{jobId}/receipt.csv',
    summary: 'Every transfer and order as CSV, with hash, price and cost',
    success: ok('The receipt', z.string(), 'text/csv'),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  downloadSignedReceipt: {
    method: 'GET',
    path: '/jobs/{jobId}/receipt.json',
    summary: "The receipt file, signed by the job's wallet; you need only an RPC endpoint to check it",
    success: ok(
      'The file; docs/receipt.md describes its format',
      z.object({
        receipt: z.looseObject({}).describe('The receipt: see docs/receipt.md.'),
        signature: z.string().describe('Signature of the wallet of the job over the receipt.'),
      }),
    ),
    failures: ['JOB_NOT_FOUND', 'NOT_POSSIBLE_NOW', ...DOWN],
  },
  followJob: {
    method: 'GET',
    path: '/jobs/{jobId}/events',
    summary: "Server-sent events named 'status' with the body of getJobStatus; ends when the job has ended",
    success: ok('The stream; the schema is that of one event', STATUS_EVENT, 'text/event-stream'),
    failures: ['JOB_NOT_FOUND', ...DOWN],
  },
  getStats: {
    method: 'GET',
    path: '/stats',
    summary: 'Figures of the landing page',
    success: ok('The figures', statsResponseSchema),
    failures: DOWN,
  },
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the API can work',
    isPublic: true,
    success: ok('It can', healthResponseSchema),
    failures: ['INVALID_REQUEST'],
  },
  getOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    isPublic: true,
    success: ok('The document', z.record(z.string(), z.unknown())),
    failures: ['INVALID_REQUEST'],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
