import { z } from 'zod';
import { agreedPlanSchema } from '../agreed-plan.ts';
import { signedTermsSchema } from '../agreement.ts';
import { claimedTransferSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/** A job was created, and payment-watcher must watch its address. From job; read by payment-watcher. */
export const jobCreated = defineEvent(
  'job.created',
  z.object({
    tokenAddress: z.string().describe('Address of the token.'),
    paymentAddress: z.string().describe('Wallet of the job, to which the payer sends HYPE.'),
    paymentAmountWei: weiSchema,
    paymentDeadline: timeSchema,
  }),
);

/** Enough money arrived in time; maker-executor must trade. From job; read by maker-executor. */
export const jobActivated = defineEvent(
  'job.activated',
  z.object({
    tokenAddress: z.string().describe('Address of the token.'),
    walletAddress: z.string().describe('Wallet of the job.'),
    walletIndex: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
    depositWei: weiSchema,
    returnAddress: z
      .string()
      .nullable()
      .describe(
        'Where tokens and unspent HYPE go. Null if the visitor gave no address and no payer is known: they are held.',
      ),
    paidBy: z
      .array(claimedTransferSchema)
      .optional()
      .describe(
        'Transfers that prove who paid. Present if `returnAddress` is the payer and not an address from the visitor.',
      ),
    terms: signedTermsSchema
      .optional()
      .describe(
        'The agreement and its amendments, signed by the job service. A job that differs from them is refused.',
      ),
    plan: agreedPlanSchema.describe('The agreed plan, calculated for the amount that was paid.'),
  }),
);

/** The status of the job changed. From job; read by api-gateway and payment-watcher. */
export const jobStatusChanged = defineEvent(
  'job.status_changed',
  z.object({ from: jobStatusSchema, to: jobStatusSchema }),
);

/** An operator or the payer ends an active job: tokens are delivered and the rest is returned. From job; read by maker-executor. */
export const jobCancelRequested = defineEvent(
  'job.cancel_requested',
  z.object({
    stopProof: z.string().optional().describe('Proof of the stop secret; present if the payer ends the job.'),
    commandedBy: z
      .string()
      .optional()
      .describe('Id of the `execution.cancel_commanded` event; present if operators end the job.'),
  }),
);
