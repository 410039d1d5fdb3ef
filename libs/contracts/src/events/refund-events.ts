import { z } from 'zod';
import { addressSchema, claimedTransferSchema, hashSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/**
 * What a refund is of: deposits that pay for no order. On the wire a refund is a 'return':
 * databases and streams hold these types and fields, so they keep their names.
 */
const refunded = z.object({
  returnId: z.string().describe('Id of the refund.'),
  amountWei: weiSchema.describe('All that arrived with these deposits, before the gas of the transfer.'),
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
    walletIndex: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
    tokenAddress: addressSchema,
    depositIds: z.array(z.string()).min(1).describe('Ids of the deposits.'),
    to: addressSchema.nullable().describe('Null: nobody is known to whom it could go.'),
    sentBy: z
      .array(claimedTransferSchema)
      .optional()
      .describe(
        'Present where `to` is the sender of these deposits, and was not named by the visitor: what proves that.',
      ),
    holdReason: z.string().optional().describe('Present where `to` is null: why.'),
    activated: z.boolean().describe('Whether the job turned active: then its execution exists, or is about to.'),
    blockNumber: z
      .number()
      .int()
      .nonnegative()
      .describe('The newest block that holds one of the deposits: a chain not yet there shows nothing.'),
  }),
);

/** The money of a refund has left the wallet, and its transfer is final. From maker-executor; read by job. */
export const refundPaid = defineEvent(
  'deposit.returned',
  refunded.extend({
    to: z.string().describe('Recipient.'),
    returnedWei: weiSchema
      .optional()
      .describe('What reached the recipient; the difference is gas. Absent where it went together with other money.'),
    transactionHash: hashSchema,
    withTheRest: z.boolean().describe('The money went back together with the rest of the job, whose transfer this is.'),
  }),
);

/** The money of a refund stays in the wallet until an operator releases it. From maker-executor; read by job. */
export const refundHeld = defineEvent(
  'deposit.held',
  refunded.extend({
    reason: z.string().describe('Reason, in a sentence.'),
    absent: z
      .literal(true)
      .optional()
      .describe(
        'Present where the chain does not show the money: a reorganisation took it back before it was returned.',
      ),
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
  z.object({
    to: z.string().describe('Recipient.'),
    amountWei: weiSchema,
    returnIds: z.array(z.string()).describe('Ids of the refunds.'),
  }),
);
