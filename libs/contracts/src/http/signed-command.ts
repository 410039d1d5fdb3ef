import { z } from 'zod';
import { addressSchema, jobIdSchema, recipientSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Why an operator does something: kept for ever in the audit log. */
export const operatorReasonSchema = z.string().trim().min(3).max(500);

/** Name of an operator, as the executor's configuration knows their key. */
export const operatorNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is not the name of an operator');

const everyCommand = {
  /** The chain that it is meant for. */
  chainId: z.number().int().positive(),
  reason: operatorReasonSchema,
  /** Used once. */
  nonce: z.uuid(),
  /** Not carried out after it. */
  expiresAt: timeSchema,
};
const ofJob = { ...everyCommand, jobId: jobIdSchema };
const ofHeldMoney = {
  ...ofJob,
  /** HYPE that the operator saw held, wei: where it is another sum by now, nothing is done. */
  amountWei: weiSchema,
  /** Who sends the gas to the job's wallet where it has none; what comes from there may be spent on the delivery. */
  gasFrom: recipientSchema.optional(),
};

/** What a command says that moves money, lets it move or ends that it moves: the text that operators sign. */
export const signedTextSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('cancel'), ...ofJob }),
  z.strictObject({ action: z.literal('resume'), ...ofJob }),
  z.strictObject({ action: z.literal('resume_all'), ...everyCommand }),
  z.strictObject({ action: z.literal('return'), ...ofHeldMoney }),
  z.strictObject({ action: z.literal('release'), ...ofHeldMoney, to: recipientSchema }),
  z.strictObject({
    action: z.literal('return_hypercore'),
    ...ofJob,
    /** An unpaid job has no execution that would know its wallet. */
    walletAddress: addressSchema,
    walletIndex: z.number().int().nonnegative(),
    /** HYPE that the operator saw there, wei: all of it goes, and where it is another sum by now, nothing is done. */
    amountWei: weiSchema,
    to: recipientSchema,
  }),
]);
export type SignedText = z.infer<typeof signedTextSchema>;

/** A command with the signatures under it. The text is carried as it was signed: nothing has to be written alike twice. */
export const signedCommandSchema = z.object({
  /** JSON of a {@link SignedText}. */
  text: z.string().max(2000),
  signatures: z
    .array(
      z.object({
        operator: operatorNameSchema,
        /** Ed25519, base64url. */
        signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/, 'is not a signature'),
      }),
    )
    .min(1)
    .max(5),
});
export type SignedCommand = z.infer<typeof signedCommandSchema>;

/** One row of the executor's log of signed commands. Each holds the hash of the one before, so that none can be changed or taken out. */
export const commandLogRowSchema = z.object({
  /** From 1, without gaps. */
  number: z.number().int().positive(),
  at: timeSchema,
  text: z.string(),
  signatures: signedCommandSchema.shape.signatures,
  /** How it ended, in a sentence. */
  outcome: z.string(),
  /** Of the row before; 64 zeros for the first. */
  previousHash: z.string(),
  hash: z.string(),
});
export type CommandLogRow = z.infer<typeof commandLogRowSchema>;

/** Query of `GET /operator/commands`: rows after a number, oldest first. */
export const commandLogQuerySchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(200).default(200),
});
export type CommandLogQuery = z.infer<typeof commandLogQuerySchema>;

/** Answer of `GET /operator/commands`. */
export const commandLogResponseSchema = z.object({ commands: z.array(commandLogRowSchema) });
export type CommandLogResponse = z.infer<typeof commandLogResponseSchema>;
