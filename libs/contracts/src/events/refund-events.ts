import { z } from 'zod';
import { signedTermsSchema } from '../agreement.ts';
import { addressSchema, claimedTransferSchema, hashSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/**
 * A refund of deposits that pay for no order. Events call it 'return', because databases and streams
 * store these types and fields.
 */
const refunded = z.object({
  returnId: z.string().describe('Id of the refund.'),
  amountWei: weiSchema.describe('Sum of the deposits, before the gas of the transfer.'),
});

/**
 * Money that pays for no order goes back to `to`, less the gas of the transfer, or is held with
 * `holdReason`. Once per `returnId`; each deposit is part of one refund. From job; read by maker-executor.
 * Source: design § 4 'Amounts' and 'Return address'.
 */
export const refundDue = defineEvent(
  'deposit.return_due',
  refunded.extend({
    walletAddress: addressSchema,
    walletIndex: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
    tokenAddress: addressSchema,
    depositIds: z.array(z.string()).min(1).describe('Ids of the deposits.'),
    to: addressSchema.nullable().describe('Recipient; null if none is known.'),
    sentBy: z
      .array(claimedTransferSchema)
      .optional()
      .describe(
        'Transfers that prove the sender. Present if `to` is the sender of the deposits and not an address from the visitor.',
      ),
    terms: signedTermsSchema
      .optional()
      .describe(
        'The agreement and its amendments: without `sentBy`, `to` is the return address that they name, or the money is held.',
      ),
    holdReason: z.string().optional().describe('Why the money is held; present if `to` is null.'),
    activated: z.boolean().describe('Whether the job became active: then its execution exists or will exist soon.'),
    blockNumber: z
      .number()
      .int()
      .nonnegative()
      .describe('Newest block that holds one of the deposits. A node below this block does not show all of them.'),
  }),
);

/** The money of a refund has left the wallet, and its transfer is final. From maker-executor; read by job. */
export const refundPaid = defineEvent(
  'deposit.returned',
  refunded.extend({
    to: z.string().describe('Recipient.'),
    returnedWei: weiSchema
      .optional()
      .describe('Amount that the recipient received; the rest was gas. Absent if the transfer also moved other money.'),
    transactionHash: hashSchema,
    withTheRest: z.boolean().describe('Whether the transfer that returned the rest of the job also paid this refund.'),
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
      .describe('Present if the chain does not show the money: a reorganisation removed it before the refund.'),
  }),
);

/** Most refunds in one {@link fundsReleased}. Strangers can cause any number of refunds, and the size of a message is limited. */
export const MOST_RETURNS_RELEASED = 500;

/**
 * An operator released held money of a job, and its transfer is on the way. Many refunds are spread over several events;
 * their amounts add up. From maker-executor; read by job.
 */
export const fundsReleased = defineEvent(
  'funds.released',
  z.object({
    to: z.string().describe('Recipient.'),
    amountWei: weiSchema,
    returnIds: z.array(z.string()).describe('Ids of the refunds.'),
  }),
);
