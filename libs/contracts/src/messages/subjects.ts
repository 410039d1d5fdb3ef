import { z } from 'zod';
import { eventSchema } from '../events/event.ts';
import { createJobRequestSchema, createJobResponseSchema } from '../http/create-job.ts';
import { jobPaymentResponseSchema } from '../http/job-payment.ts';
import {
  jobOrdersQuerySchema,
  jobOrdersResponseSchema,
  jobStatusResponseSchema,
  receiptSchema,
} from '../http/job-status.ts';
import { statsResponseSchema } from '../http/stats.ts';
import { stopJobResponseSchema, stopSecretSchema } from '../http/stop-job.ts';
import { validateTokenRequestSchema, validateTokenResponseSchema } from '../http/validate-token.ts';
import { addressSchema, hashSchema, jobIdSchema, timeSchema, weiSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

const byJob = z.object({ jobId: jobIdSchema });

/** How long token-validation answers from what it read of a token, so that a repeated question reads nothing, ms. */
export const SNAPSHOT_REUSE_MS = 15_000;

/** Answered by token-validation. Reads the chain; takes seconds at worst. */
export const validateToken = contract(
  'token.validate',
  /** Who asks, as limits count them: unknown tokens are looked up in fair shares. */
  validateTokenRequestSchema.extend({ clientAddress: z.string().min(1).max(64).optional() }),
  validateTokenResponseSchema,
);

/**
 * Answered by token-validation, for services that read no chain: which of some addresses the chain knows, by a balance,
 * a nonce or code.
 */
export const findUsedAddresses = contract(
  'chain.used_addresses.find',
  z.object({ addresses: z.array(addressSchema).min(1).max(400) }),
  z.object({ used: z.array(addressSchema) }),
);

/** Answered by job. A repeated idempotency key answers with the first job; with another body it is refused. */
export const createJob = contract(
  'job.create',
  createJobRequestSchema.omit({ paymentAmount: true }).extend({
    paymentAmountWei: weiSchema,
    idempotencyKey: z.string().min(1).max(200).optional(),
    /** Name of the API key that asks; idempotency keys are private to it. */
    apiKeyName: z.string(),
    /** Who asks, as limits count them: an address, or the network of an IPv6 one. Forgotten with the payment or its deadline. */
    clientAddress: z.string().min(1).max(64).optional(),
  }),
  createJobResponseSchema,
);

/** Answered by job: its payer ends it. A wrong secret and an unknown job are refused alike, with `FORBIDDEN`. */
export const stopJob = contract('job.stop', byJob.extend({ stopSecret: stopSecretSchema }), stopJobResponseSchema);

/** Answered by job. */
export const getJobPayment = contract('job.payment.get', byJob, jobPaymentResponseSchema);

/** Jobs that one {@link getJobPayments} may ask for: an answer of some 40 KB. */
export const MOST_PAYMENTS_ASKED = 100;

/** Answered by job: the same of many jobs, by their ids; those that nobody knows are not in it. */
export const getJobPayments = contract(
  'job.payments.get',
  z.object({ jobIds: z.array(jobIdSchema).min(1).max(MOST_PAYMENTS_ASKED) }),
  z.object({ payments: z.record(jobIdSchema, jobPaymentResponseSchema) }),
);

/** Answered by job, without the receipt, which maker-executor owns. */
export const getJobStatus = contract(
  'job.status.get',
  byJob,
  jobStatusResponseSchema.omit({ receipt: true, receiptUnavailable: true }),
);

/** Answered by job. */
export const getStats = contract('job.stats.get', z.object({}), statsResponseSchema);

/** Answered by receipts; null while no execution exists for the job. */
export const getReceipt = contract('execution.receipt.get', byJob, z.object({ receipt: receiptSchema.nullable() }));

/** Answered by receipts. */
export const listOrders = contract(
  'execution.orders.list',
  byJob.extend(jobOrdersQuerySchema.shape),
  jobOrdersResponseSchema,
);

/** Characters of a receipt file in one message: strangers' deposits stand in it, and there may be any number of them. */
export const MOST_RECEIPT_TEXT_SENT = 200_000;

/**
 * Answered by receipts: the signed receipt file of a job but for its orders, as canonical JSON; null while there is none.
 * It is passed on as text, since the text is what the wallet signed: a part of it, from a character on. Parts with one signature
 * are of one text. Source: design §§ 2.6 and 3.
 */
export const getSignedReceipt = contract(
  'execution.signed_receipt.get',
  byJob.extend({ from: z.number().int().nonnegative().default(0) }),
  z.object({
    receipt: z
      .object({
        headPart: z.string().max(MOST_RECEIPT_TEXT_SENT),
        /** Characters of the whole. */
        headLength: z.number().int().positive(),
        orderCount: z.number().int().nonnegative(),
        signature: z.string(),
      })
      .nullable(),
  }),
);

/** Answered by receipts: orders of the signed receipt after a number, canonical JSON each. */
export const listSignedOrders = contract(
  'execution.signed_orders.list',
  byJob.extend(jobOrdersQuerySchema.shape),
  z.object({ orders: z.array(z.string()) }),
);

/**
 * Answered by maker-executor to receipts: the signature of a job's wallet under a receipt. The wallet signs the typed data of a receipt
 * and nothing else, once in five seconds for each job; earlier requests are refused with `NOT_POSSIBLE_NOW`. Source: docs/adr/0074.
 */
export const signReceipt = contract(
  'receipt.sign',
  byJob.extend({
    chainId: z.number().int(),
    wallet: addressSchema,
    state: z.enum(['interim', 'final']),
    /** Of the receipt with its orders. */
    contentHash: hashSchema,
  }),
  z.object({ signature: z.string() }),
);

/**
 * Answered by maker-executor to job: the first wallet of its seed signs the challenge, by which job sees that its xpub is of that seed.
 * Source: docs/adr/0096.
 */
export const proveSeed = contract(
  'seed.prove',
  z.object({ challenge: hashSchema }),
  z.object({
    signature: z
      .string()
      .regex(/^0x[0-9a-f]{130}$/)
      .transform((text) => text as `0x${string}`),
  }),
);

/**
 * Answered by maker-executor to job: whether the chain shows a plain transfer as payment-watcher told of it. A proven one has the told
 * sender and amount, and this block; `waiting` may be asked again; `unprovable` is every sender where one untrusted host alone is
 * configured. Source: docs/adr/0118.
 */
export const proveTransfer = contract(
  'maker-executor.transfers.prove',
  z.object({
    depositId: z.string(),
    wallet: addressSchema,
    from: addressSchema,
    transactionHash: hashSchema,
    amountWei: weiSchema,
    blockNumber: z.number().int().nonnegative(),
    blockAtMs: z.number(),
    /** Until when it would be in time. */
    deadlineMs: z.number(),
  }),
  z.object({
    verdict: z.enum(['proven', 'refuted', 'unprovable', 'waiting']),
    /** Present where it is proven. */
    block: z.object({ number: z.number().int().nonnegative(), atMs: z.number() }).optional(),
  }),
);

/** Balances in one {@link proveBalances}: one call to the chain. */
const MOST_BALANCES_ASKED = 100;

/**
 * Answered by maker-executor to job: whether the chain shows at least so much HYPE in wallets, in a state of the block `sinceBlock` or
 * later, and after the time `afterMs`; null where its hosts do not agree. Source: docs/adr/0118.
 */
export const proveBalances = contract(
  'maker-executor.balances.prove',
  z.object({
    balances: z
      .array(
        z.object({
          wallet: addressSchema,
          leastWei: weiSchema,
          sinceBlock: z.number().int().nonnegative(),
          afterMs: z.number().optional(),
        }),
      )
      .min(1)
      .max(MOST_BALANCES_ASKED),
  }),
  z.object({ areShown: z.array(z.boolean().nullable()), chainTimeMs: z.number() }),
);

/** Money that payment-watcher has credited. */
const creditedDepositSchema = z.object({
  depositId: z.string(),
  kind: z.string(),
  amountWei: weiSchema,
  /** Of a plain transfer. */
  from: addressSchema.optional(),
  transactionHash: hashSchema.optional(),
  blockNumber: z.number().int().nonnegative(),
});
export type CreditedDeposit = z.output<typeof creditedDepositSchema>;

/** Deposits in one message: anyone may send any number of them to a public address, and a message holds only so many. */
export const MOST_DEPOSITS_LISTED = 500;

/**
 * Answered by payment-watcher: which money it has credited for a job, a page by the order of the ids, and up to which block
 * that is all there is. Who finds more on the chain can tell by it whether that will still be explained.
 */
export const listCreditedDeposits = contract(
  'payment-watcher.deposits.list',
  byJob.extend({
    /** The last id of the page before. */
    after: z.string().optional(),
  }),
  z.object({
    /** Every plain transfer in blocks up to this one is in this page, or in one after it; -1 before the first. */
    completeToBlock: z.number().int(),
    deposits: z.array(creditedDepositSchema).max(MOST_DEPOSITS_LISTED),
    /** What came besides in parts of less than the cheapest order costs. No event tells of it, and no deposit. Absent where none came. */
    dustWei: weiSchema.optional(),
  }),
);

/** Answered by job: which of some deposits it has heard of, and the returns that it has begun of them. */
export const findKnownDeposits = contract(
  'job.deposits.find',
  byJob.extend({ depositIds: z.array(z.string()).max(MOST_DEPOSITS_LISTED) }),
  z.object({ depositIds: z.array(z.string()), returnIds: z.array(z.string()) }),
);

/**
 * Answered by every service that keeps an outbox, at `<service>.events.list`: what it recorded since a time, oldest
 * first, but for the last seconds. Consumers catch up with it, so that a wiped JetStream loses nothing. Source: design § 3.
 */
export function listEvents(service: EventSource) {
  return contract(
    `${service}.events.list`,
    z.object({
      since: timeSchema,
      afterId: z.string().optional(),
      types: z.array(z.string()).min(1),
      limit: z.number().int().min(1).max(500),
      /** Only those that a list may have missed, since they were committed long after their time. Source: docs/adr/0138. */
      lateOnly: z.boolean().optional(),
    }),
    z.object({ events: z.array(eventSchema) }),
  );
}

/** Events that one {@link findEvents} may ask for. */
export const MOST_EVENTS_ASKED = 50;

/**
 * Answered by every service that keeps an outbox, at `<service>.events.find`: of some ids the events that it recorded, as many as a
 * message carries. Consumers take an event as it was recorded. Source: docs/adr/0119.
 */
export function findEvents(service: EventSource) {
  return contract(
    `${service}.events.find`,
    z.object({ ids: z.array(z.string()).min(1).max(MOST_EVENTS_ASKED) }),
    z.object({ events: z.array(eventSchema) }),
  );
}

export type EventSource = (typeof EVENT_SOURCES)[number];

/** Services that record events. */
export const EVENT_SOURCES = ['job', 'payment-watcher', 'maker-executor'] as const;
