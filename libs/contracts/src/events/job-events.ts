import { z } from 'zod';
import { agreedPlanSchema } from '../agreed-plan.ts';
import { jobMetadataSchema } from '../job-metadata.ts';
import { claimedTransferSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/** In each event of a job's life, for the receivers of webhooks: no service reads it. */
const ofIntegrator = { metadata: jobMetadataSchema.optional() };

/** A job exists and its address must be watched. From job; read by payment-watcher. */
export const jobCreated = defineEvent(
  'job.created',
  z.object({
    tokenAddress: z.string().describe('Address of the token.'),
    paymentAddress: z.string().describe('Wallet of the job, to which the payer sends HYPE.'),
    paymentAmountWei: weiSchema,
    paymentDeadline: timeSchema,
    ...ofIntegrator,
  }),
);

/** Enough arrived in time: trade. From job; read by maker-executor. */
export const jobActivated = defineEvent(
  'job.activated',
  z.object({
    tokenAddress: z.string().describe('Address of the token.'),
    walletAddress: z.string().describe("The job's wallet and its index below the account key."),
    walletIndex: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
    depositWei: weiSchema,
    returnAddress: z
      .string()
      .nullable()
      .describe(
        'Where tokens and unspent HYPE go; null when the money came from a contract and none was given: hold them.',
      ),
    paidBy: z
      .array(claimedTransferSchema)
      .optional()
      .describe(
        'Present where `returnAddress` is the sender of the payment, and was not named by the visitor: what proves that.',
      ),
    stopCommitments: z
      .array(z.string())
      .default([])
      .describe("What a proof of the payer's stop secret is checked by, one for each secret that was told."),
    plan: agreedPlanSchema.describe('The plan as it was published to the payer, made anew for what was paid.'),
    ...ofIntegrator,
  }),
);

/** The job took another status. From job; read by api-gateway and payment-watcher. */
export const jobStatusChanged = defineEvent(
  'job.status_changed',
  z.object({ from: jobStatusSchema, to: jobStatusSchema, ...ofIntegrator }),
);

/** An operator, or the payer, ends an active job: what was bought is delivered and the rest returned. From job; read by maker-executor. */
export const jobCancelRequested = defineEvent(
  'job.cancel_requested',
  z.object({
    stopProof: z.string().optional().describe('Present where the payer ends it: what proves that by the stop secret.'),
    commandedBy: z
      .string()
      .optional()
      .describe('Present where operators end it: id of the `execution.cancel_commanded` that says so.'),
    ...ofIntegrator,
  }),
);
