import { z } from 'zod';
import { timeSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/** Money arrived at a job's address and is confirmed; credited once per `depositId`. From payment-watcher; read by job. */
export const paymentReceived = defineEvent(
  'payment.received',
  z.object({
    /** Unique: (address, transaction hash, trace) or (address, balance step). */
    depositId: z.string(),
    amountWei: weiSchema,
    /** A plain transfer; money moved by a contract; a balance that rose with neither (HyperCore system credit). */
    kind: z.enum(['transfer', 'internal', 'balance']),
    /** Sender of a plain transfer. */
    from: z.string().optional(),
    transactionHash: z.string().optional(),
    blockNumber: z.number().int().nonnegative(),
    /** Timestamp of the block: what decides whether it is in time. */
    blockAt: timeSchema,
  }),
);

/**
 * The chain passed a job's deadline, and one more sweep found no further money. From payment-watcher; read by job,
 * which waits with the expiry until deposits in time of at least `receivedWei` have reached it.
 */
export const paymentDeadlinePassed = defineEvent(
  'payment.deadline_passed',
  z.object({
    blockNumber: z.number().int().nonnegative(),
    blockAt: timeSchema,
    /** Sum of the deposits in blocks up to the deadline; late ones are not part of it. */
    receivedWei: weiSchema,
  }),
);
