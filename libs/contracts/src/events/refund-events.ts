import { z } from 'zod';
import { addressSchema, claimedTransferSchema, hashSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/**
 * What a refund is of: deposits that pay for no order. On the wire a refund is a 'return':
 * databases and streams hold these types and fields, so they keep their names.
 */
const refunded = z.object({
  returnId: z.string(),
  /** All that arrived with these deposits, before the gas of the transfer. */
  amountWei: weiSchema,
});

/**
 * Money arrived that pays for no order: it goes back to `to`, less the gas of the transfer, or is held with
 * `holdReason`. Once per `returnId`, and each deposit is part of one refund. From job; read by maker-executor.
 * Source: design § 4 'Amounts' and 'Return address'.
 */
export const refundDue = defineEvent(
  'deposit.return_due',
  refunded.extend({
    walletAddress: addressSchema,
    walletIndex: z.number().int().nonnegative(),
    tokenAddress: addressSchema,
    depositIds: z.array(z.string()).min(1),
    /** Null: nobody is known to whom it could go. */
    to: addressSchema.nullable(),
    /** Present where `to` is the sender of these deposits, and was not named by the visitor: what proves that. */
    sentBy: z.array(claimedTransferSchema).optional(),
    /** Present where `to` is null: why. */
    holdReason: z.string().optional(),
    /** Whether the job turned active: then its execution exists, or is about to. */
    activated: z.boolean(),
    /** The newest block that holds one of the deposits: a chain not yet there shows nothing. */
    blockNumber: z.number().int().nonnegative(),
  }),
);

/** The money of a refund has left the wallet, and its transfer is final. From maker-executor; read by job. */
export const refundPaid = defineEvent(
  'deposit.returned',
  refunded.extend({
    to: z.string(),
    /** What reached the recipient; the difference is gas. Absent where it went together with other money. */
    returnedWei: weiSchema.optional(),
    transactionHash: hashSchema,
    /** The money went back together with the rest of the job, whose transfer this is. */
    withTheRest: z.boolean(),
  }),
);

/** The money of a refund stays in the wallet until an operator releases it. From maker-executor; read by job. */
export const refundHeld = defineEvent(
  'deposit.held',
  refunded.extend({
    reason: z.string(),
    /** Present where the chain does not show the money: a reorganisation took it back before it was returned. */
    absent: z.literal(true).optional(),
  }),
);

/** Refunds in one {@link fundsReleased}: strangers can cause any number of them, and a message holds only so many. */
export const MOST_RETURNS_RELEASED = 500;

/**
 * An operator released what was held for a job, and it is on its way out. Where that is a great many refunds, it is told by
 * several events, whose amounts add up. From maker-executor; read by job.
 */
export const fundsReleased = defineEvent(
  'funds.released',
  z.object({ to: z.string(), amountWei: weiSchema, returnIds: z.array(z.string()) }),
);
