import { z } from 'zod';
import { createJobRequestSchema, createJobResponseSchema } from '../http/create-job.ts';
import { jobPaymentResponseSchema } from '../http/job-payment.ts';
import {
  jobOrdersQuerySchema,
  jobOrdersResponseSchema,
  jobStatusResponseSchema,
  receiptSchema,
} from '../http/job-status.ts';
import { jobsQuerySchema, jobsResponseSchema } from '../http/list-jobs.ts';
import { startJobResponseSchema } from '../http/start-job.ts';
import { statsResponseSchema } from '../http/stats.ts';
import { stopJobResponseSchema, stopSecretSchema } from '../http/stop-job.ts';
import { validateTokenRequestSchema, validateTokenResponseSchema } from '../http/validate-token.ts';
import { jobCreatorSchema } from '../job-metadata.ts';
import { addressSchema, hashSchema, jobIdSchema, weiSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

const byJob = z.object({ jobId: jobIdSchema });

/** How long token-validation reuses the chain data of a token for repeated requests, ms. */
export const SNAPSHOT_REUSE_MS = 15_000;

/** Answered by token-validation. Reads the chain; takes seconds at worst. */
export const validateToken = contract(
  'token.validate',
  /** The client, as rate limits count it: clients get fair shares of reads of unknown tokens. */
  validateTokenRequestSchema.extend({ clientAddress: z.string().min(1).max(64).optional() }),
  validateTokenResponseSchema,
);

/**
 * Answered by token-validation, for services that read no chain: which addresses are used on the chain, by their balance,
 * nonce or code.
 */
export const findUsedAddresses = contract(
  'chain.used_addresses.find',
  z.object({ addresses: z.array(addressSchema).min(1).max(400) }),
  z.object({ used: z.array(addressSchema) }),
);

/** Answered by job. A repeated idempotency key gets the first job, as `replayed`; with another body it is refused. */
export const createJob = contract(
  'job.create',
  createJobRequestSchema.omit({ paymentAmount: true }).extend({
    paymentAmountWei: weiSchema,
    idempotencyKey: z.string().min(1).max(200).optional(),
    /** Name of the client's API key; idempotency keys are separate for each. */
    apiKeyName: z.string(),
    /** Only a server has the API key, so its unpaid jobs are limited by the key and not by the client. Source: docs/adr/0173. */
    isServerKey: z.boolean().optional(),
    /** The client, as rate limits count it: its IPv4 address or IPv6 network. Deleted with the payment or the deadline. */
    clientAddress: z.string().min(1).max(64).optional(),
  }),
  createJobResponseSchema.extend({ replayed: z.literal(true).optional() }),
);

/** Answered by job: the payer stops it. A wrong secret and an unknown job both get `FORBIDDEN`. */
export const stopJob = contract('job.stop', byJob.extend({ stopSecret: stopSecretSchema }), stopJobResponseSchema);

/** Answered by job: starts it with the money that has arrived. A wrong secret and an unknown job both get `FORBIDDEN`. */
export const startJob = contract('job.start', byJob.extend({ stopSecret: stopSecretSchema }), startJobResponseSchema);

/** Answered by job. */
export const getJobPayment = contract('job.payment.get', byJob, jobPaymentResponseSchema);

/** Most jobs in one {@link getJobPayments}: its answer has about 40 KB. */
export const MOST_PAYMENTS_ASKED = 100;

/** Answered by job: payments by job id. Unknown jobs are left out. */
export const getJobPayments = contract(
  'job.payments.get',
  z.object({ jobIds: z.array(jobIdSchema).min(1).max(MOST_PAYMENTS_ASKED) }),
  z.object({ payments: z.record(jobIdSchema, jobPaymentResponseSchema) }),
);

/** Answered by job, without the receipt, which receipts answers. */
export const getJobStatus = contract(
  'job.status.get',
  byJob,
  jobStatusResponseSchema.omit({ receipt: true, receiptUnavailable: true }),
);

/** Answered by job. @param apiKeyName only jobs that this API key created; null: all jobs, for operators */
export const searchJobs = contract(
  'job.search',
  jobsQuerySchema.extend({ apiKeyName: z.string().min(1).nullable() }),
  jobsResponseSchema,
);

/** Answered by job. */
export const getStats = contract('job.stats.get', z.object({}), statsResponseSchema);

/** Answered by receipts; null while the job has no execution. */
export const getReceipt = contract('receipts.receipt.get', byJob, z.object({ receipt: receiptSchema.nullable() }));

/** Answered by receipts. */
export const listOrders = contract(
  'receipts.orders.list',
  byJob.extend(jobOrdersQuerySchema.shape),
  jobOrdersResponseSchema,
);

/** Most characters of a receipt file in one message. The file lists strangers' deposits, of which there may be any number. */
export const MOST_RECEIPT_TEXT_SENT = 200_000;

/**
 * Answered by receipts: the signed receipt file of a job without its orders, as canonical JSON; null while there is none.
 * The reply has a part of the text, from the character `from` on, because the wallet signed the text. Parts with the same signature
 * belong to the same text. Source: design §§ 2.6 and 3.
 */
export const getSignedReceipt = contract(
  'receipts.signed_receipt.get',
  byJob.extend({ from: z.number().int().nonnegative().default(0) }),
  z.object({
    receipt: z
      .object({
        headPart: z.string().max(MOST_RECEIPT_TEXT_SENT),
        /** Characters of the whole text. */
        headLength: z.number().int().positive(),
        orderCount: z.number().int().nonnegative(),
        signature: z.string(),
      })
      .nullable(),
  }),
);

/** Answered by receipts: orders of the signed receipt after a number, each as canonical JSON. */
export const listSignedOrders = contract(
  'receipts.signed_orders.list',
  byJob.extend(jobOrdersQuerySchema.shape),
  z.object({ orders: z.array(z.string()) }),
);

/**
 * Answered by maker-executor to receipts: the signature of a job's wallet under a receipt. The wallet signs only the typed data of a
 * receipt, once in 5 s for each job. Earlier requests are refused with `NOT_POSSIBLE_NOW`. Source: docs/adr/0074.
 */
export const signReceipt = contract(
  'receipt.sign',
  byJob.extend({
    chainId: z.number().int(),
    wallet: addressSchema,
    state: z.enum(['interim', 'final']),
    /** Hash of the receipt with its orders. */
    contentHash: hashSchema,
  }),
  z.object({ signature: z.string() }),
);

/**
 * Answered by maker-executor to job: the first wallet of its seed signs the challenge. The signature proves to job that its xpub
 * belongs to that seed. Source: docs/adr/0096.
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
 * Subject of a message without content: a maker-executor starts, perhaps with another seed. Each replica of job withdraws its proof of
 * the seed. No service answers. Source: docs/adr/0151.
 */
export const SEED_PROOF_WITHDRAWN_SUBJECT = 'job.seed_proof.withdrawn';

/**
 * Answered by maker-executor to job: whether the chain shows a plain transfer as payment-watcher reported it. A proven transfer has the
 * reported sender and amount, and this block. `waiting`: ask again. `unprovable`: any transfer, if the only configured host is
 * untrusted. Source: docs/adr/0118.
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
    /** Deadline of the payment, ms. */
    deadlineMs: z.number(),
  }),
  z.object({
    verdict: z.enum(['proven', 'refuted', 'unprovable', 'waiting']),
    /** Block of the transfer; present if it is proven. */
    block: z.object({ number: z.number().int().nonnegative(), atMs: z.number() }).optional(),
  }),
);

/** Most balances in one {@link proveBalances}: one call to the chain. */
const MOST_BALANCES_ASKED = 100;

/**
 * Answered by maker-executor to job: whether each wallet holds at least `leastWei` at block `sinceBlock` or later, and after the
 * time `afterMs`; null if the hosts disagree. Source: docs/adr/0118.
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

/**
 * Answered by job to maker-executor, which asks before each fee: whether the job has booked its pace and may begin. A job that gave its
 * booking back books again if its pace is free. Source: docs/adr/0155.
 */
export const bookCapacity = contract('job.capacity.book', byJob, z.object({ isBooked: z.boolean() }));

/** Money that arrived at a job's address. */
const creditedDepositSchema = z.object({
  depositId: z.string(),
  kind: z.string(),
  amountWei: weiSchema,
  /** Sender of a plain transfer. */
  from: addressSchema.optional(),
  transactionHash: hashSchema.optional(),
  blockNumber: z.number().int().nonnegative(),
});
export type CreditedDeposit = z.output<typeof creditedDepositSchema>;

/** Most deposits in one message. Anyone can send any number of them to a public address, and the size of a message is limited. */
export const MOST_DEPOSITS_LISTED = 500;

/**
 * Answered by payment-watcher: a page of a job's credited deposits, in ascending order of ids, and the block up to which the list is
 * complete. By this block, a service that finds more money on the chain knows whether a later deposit may explain it.
 */
export const listCreditedDeposits = contract(
  'payment-watcher.deposits.list',
  byJob.extend({
    /** Last id of the page before. */
    after: z.string().optional(),
  }),
  z.object({
    /** Every plain transfer in blocks up to this one is in this page or a later one; -1 before the first block. */
    completeToBlock: z.number().int(),
    deposits: z.array(creditedDepositSchema).max(MOST_DEPOSITS_LISTED),
    /** Sum of amounts below the cost of the cheapest order. No event or deposit includes them. Absent if there are none. */
    dustWei: weiSchema.optional(),
  }),
);

/**
 * Answered by job: a page of a job's recorded deposits, in ascending order of ids. maker-executor has proven each plain transfer.
 * Source: docs/adr/0170.
 */
export const listDeposits = contract(
  'job.deposits.list',
  byJob.extend({
    /** Last id of the page before. */
    after: z.string().optional(),
  }),
  z.object({ deposits: z.array(creditedDepositSchema).max(MOST_DEPOSITS_LISTED) }),
);

/**
 * Answered by job to webhook-sender: which API key created a job, and the job's metadata. Neither ever changes. Empty for an unknown job.
 * Source: docs/adr/0171.
 */
export const getJobCreator = contract('job.creator.get', byJob, jobCreatorSchema);

/** Answered by job: which of these deposits it has recorded, and the ids of the refunds that it has begun of them. */
export const findKnownDeposits = contract(
  'job.deposits.find',
  byJob.extend({ depositIds: z.array(z.string()).max(MOST_DEPOSITS_LISTED) }),
  z.object({ depositIds: z.array(z.string()), returnIds: z.array(z.string()) }),
);
