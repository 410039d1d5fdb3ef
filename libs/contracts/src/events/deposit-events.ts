import { z } from 'zod';
import { addressSchema, hashSchema, timeSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/** What a return is of: deposits that pay for no order. */
const returned = z.object({
  returnId: z.string(),
  /** All that arrived with these deposits, before the gas of the transfer. */
  amountWei: weiSchema,
});

/**
 * Money arrived that pays for no order: it goes back to `to`, less the gas of the transfer, or is held with
 * `holdReason`. Once per `returnId`, and each deposit is part of one return. From job; read by maker-executor.
 * Source: design § 4 'Amounts' and 'Return address'.
 */
export const depositReturnDue = defineEvent(
  'deposit.return_due',
  returned.extend({
    walletAddress: addressSchema,
    walletIndex: z.number().int().nonnegative(),
    tokenAddress: addressSchema,
    depositIds: z.array(z.string()).min(1),
    /** Null: nobody is known to whom it could go. */
    to: addressSchema.nullable(),
    /** Present where `to` is null: why. */
    holdReason: z.string().optional(),
    /** Whether the job turned active: then its execution exists, or is about to. */
    activated: z.boolean(),
    /** The newest block that holds one of the deposits: a chain not yet there shows nothing. */
    blockNumber: z.number().int().nonnegative(),
  }),
);

/** The money of a return has left the wallet, and its transfer is final. From maker-executor; read by job. */
export const depositReturned = defineEvent(
  'deposit.returned',
  returned.extend({
    to: z.string(),
    /** What reached the recipient; the difference is gas. Absent where it went together with other money. */
    returnedWei: weiSchema.optional(),
    transactionHash: hashSchema,
    /** The money went back together with the rest of the job, whose transfer this is. */
    withTheRest: z.boolean(),
  }),
);

/** The money of a return stays in the wallet until an operator releases it. From maker-executor; read by job. */
export const depositHeld = defineEvent(
  'deposit.held',
  returned.extend({
    reason: z.string(),
    /** Present where the chain does not show the money: a reorganisation took it back before it was returned. */
    absent: z.literal(true).optional(),
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
    depositId: z.string(),
    amountWei: weiSchema,
    blockNumber: z.number().int().nonnegative(),
    blockAt: timeSchema,
  }),
);

/** An operator released what was held for a job, and it is on its way out. From maker-executor; read by job. */
export const fundsReleased = defineEvent(
  'funds.released',
  z.object({ to: z.string(), amountWei: weiSchema, returnIds: z.array(z.string()) }),
);

/** A fee, delivery or return is final. From maker-executor; read by job for the timeline. */
export const transferSettled = defineEvent(
  'transfer.settled',
  z.object({
    kind: z.enum(['fee', 'delivery', 'return']),
    succeeded: z.boolean(),
    transactionHash: hashSchema,
    to: z.string(),
    /** HYPE for fee and return, token units for delivery. */
    amount: weiSchema,
    gasWei: weiSchema,
    blockNumber: z.number().int().nonnegative(),
  }),
);

/** An operator ends an active job: what was bought is delivered and the rest returned. From job; read by maker-executor. */
export const jobCancelRequested = defineEvent('job.cancel_requested', z.object({}));
