import { z } from 'zod';
import { foundTokenSchema, hashSchema, timeSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/** A deposit as the chain shows it. */
const deposit = z.object({
  depositId: z
    .string()
    .describe('Unique id: address and transaction hash, or address and the balance that it reached.'),
  amountWei: weiSchema,
  kind: z
    .enum(['transfer', 'internal', 'system', 'balance'])
    .describe(
      '`transfer`: a plain transfer; `internal`: moved by a contract; `system`: a credit from HyperCore; `balance`: a rise of the balance without a known transaction.',
    ),
  from: z.string().optional().describe('Sender of a plain transfer.'),
  transactionHash: hashSchema
    .optional()
    .describe(
      'Hash of the transaction; only that of a plain transfer is proven, others are as a node reported them. Absent if unknown.',
    ),
  blockNumber: z.number().int().nonnegative().describe('Number of the block.'),
  blockAt: timeSchema.describe('Timestamp of the block. It decides whether the deposit is in time.'),
  occurrence: z
    .number()
    .int()
    .positive()
    .default(1)
    .describe(
      '1 at first; 1 more each time that the deposit is mined again after its block left the chain. The highest is valid.',
    ),
});

/**
 * The sum that payment-watcher sees at a job's address, credited or not. The part that job has not counted yet waits for confirmation.
 * Recorded with the block, long before the credit. Dust alone causes no event, because it would delay another payer's event.
 * The highest `revision` is valid. From payment-watcher; read by job.
 */
export const paymentSeen = defineEvent(
  'payment.seen',
  z.object({
    seenWei: weiSchema,
    revision: z.number().int().positive().describe('Rises with each message; the highest is valid.'),
  }),
);

/**
 * Confirmed money arrived at a job's address; job credits it once per `depositId`. A higher `occurrence` is the same
 * money in another block after a reorganisation. From payment-watcher; read by job.
 */
export const paymentReceived = defineEvent('payment.received', deposit);

/**
 * A credited deposit is no longer part of the chain: a reorganisation removed its block, and it was not mined again.
 * Names the `occurrence` of the `payment.received` before. From payment-watcher; read by job.
 */
export const paymentDropped = defineEvent('payment.dropped', deposit);

/**
 * The chain passed a job's deadline, and a last reading of the balance found no further money. From payment-watcher; read by job,
 * which expires the job once maker-executor has not found enough money in its wallet.
 */
export const paymentDeadlinePassed = defineEvent(
  'payment.deadline_passed',
  z.object({
    blockNumber: z.number().int().nonnegative().describe('Number of the block.'),
    blockAt: timeSchema,
    receivedWei: weiSchema.describe(
      'Sum of the reported deposits in blocks up to the deadline, for operators: it decides nothing.',
    ),
  }),
);

/**
 * A wallet that spends holds more than the reported deposits: money that a contract moved or HyperCore credited.
 * Only maker-executor can see it, because it has the ledger. From maker-executor; read by job, which credits a deposit.
 */
export const surplusFound = defineEvent(
  'deposit.surplus_found',
  z.object({
    depositId: z.string().describe('Id of the deposit.'),
    amountWei: weiSchema,
    blockNumber: z.number().int().nonnegative().describe('Number of the block.'),
    blockAt: timeSchema,
  }),
);

/**
 * HYPE that a search found at a job's address on HyperCore, where it pays for nothing. The latest `checkedAt` is valid.
 * From payment-watcher; read by job.
 */
export const paymentSeenOnHyperCore = defineEvent(
  'payment.seen_on_hypercore',
  z.object({ amountWei: weiSchema, checkedAt: timeSchema }),
);

/**
 * The job's token and wrapped HYPE that a search found at a job's address, where they pay for nothing. The latest `searchedAt` is valid.
 * From payment-watcher; read by job.
 */
export const paymentTokensFound = defineEvent(
  'payment.tokens_found',
  z.object({
    tokens: z.array(foundTokenSchema).describe('Balances above 0.'),
    searchedAt: timeSchema,
  }),
);
