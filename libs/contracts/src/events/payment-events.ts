import { z } from 'zod';
import { foundTokenSchema, timeSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/** A deposit as the chain shows it. */
const deposit = z.object({
  depositId: z.string().describe('Unique: (address, transaction hash, trace) or (address, balance step).'),
  amountWei: weiSchema,
  kind: z
    .enum(['transfer', 'internal', 'system', 'balance'])
    .describe(
      'A plain transfer; money moved by a contract; a credit from HyperCore; a balance that rose with none that was seen.',
    ),
  from: z.string().optional().describe('Sender of a plain transfer.'),
  // No `hashSchema`: payment-watcher credits deposits in batches, and a malformed hash of one node must not stop a batch.
  transactionHash: z
    .string()
    .optional()
    .describe(
      'Hash of the transaction as a node reported it; only the hash of a plain transfer is checked. Absent if unknown.',
    ),
  blockNumber: z.number().int().nonnegative().describe('Number of the block.'),
  blockAt: timeSchema.describe('Timestamp of the block: what decides whether it is in time.'),
  occurrence: z
    .number()
    .int()
    .positive()
    .default(1)
    .describe(
      '1 at first; one more each time that it is mined again after its block had left the chain. The highest is what holds.',
    ),
});

/**
 * Money is in a block and waits for its confirmation, or no longer is: all that payment-watcher sees at a job's address, credited or
 * not. What job has not counted of it yet is what waits. Recorded with the block, long before it is credited; of dust alone it is not
 * told, since somebody's payment would wait behind it. The highest `revision` holds. From payment-watcher; read by job.
 */
export const paymentSeen = defineEvent(
  'payment.seen',
  z.object({
    seenWei: weiSchema,
    revision: z.number().int().positive().describe('Counts up with each message; the highest holds.'),
  }),
);

/**
 * Money arrived at a job's address and is confirmed; credited once per `depositId`. A higher `occurrence` is the same
 * money in another block, after a reorganisation. From payment-watcher; read by job.
 */
export const paymentReceived = defineEvent('payment.received', deposit);

/**
 * A deposit that was credited is no longer part of the chain: its block was reorganised away, and it was not mined again.
 * Tells of the `occurrence` that was received. From payment-watcher; read by job.
 */
export const paymentDropped = defineEvent('payment.dropped', deposit);

/**
 * The chain passed a job's deadline, and one more reading of the balance found no further money. From payment-watcher; read by job,
 * which waits with the expiry until deposits in time of at least `receivedWei` have reached it.
 */
export const paymentDeadlinePassed = defineEvent(
  'payment.deadline_passed',
  z.object({
    blockNumber: z.number().int().nonnegative().describe('Number of the block.'),
    blockAt: timeSchema,
    receivedWei: weiSchema.describe('Sum of the deposits in blocks up to the deadline; late ones are not part of it.'),
  }),
);

/**
 * A wallet that spends holds more than all that was reported to have arrived: money moved inside a contract or
 * credited by the system, which only the one who knows the ledger can see. From maker-executor; read by job, which
 * credits it as a deposit.
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
 * What a look at HyperCore found: HYPE that was sent to a job's address there, where it pays for nothing. From payment-watcher; read by
 * job. The one with the latest `checkedAt` holds.
 */
export const paymentSeenOnHyperCore = defineEvent(
  'payment.seen_on_hypercore',
  z.object({ amountWei: weiSchema, checkedAt: timeSchema }),
);

/**
 * What a search found at a job's address of the job's token and of wrapped HYPE, which pay for nothing. From payment-watcher; read by
 * job. The one with the latest `searchedAt` holds.
 */
export const paymentTokensFound = defineEvent(
  'payment.tokens_found',
  z.object({
    tokens: z.array(foundTokenSchema).describe('Balances above 0.'),
    searchedAt: timeSchema,
  }),
);
