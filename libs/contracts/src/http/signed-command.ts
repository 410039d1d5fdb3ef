import { z } from 'zod';
import { addressSchema, jobIdSchema, recipientSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Why an operator does something: kept for ever in the audit log. */
export const operatorReasonSchema = z
  .string()
  .trim()
  .min(3)
  .max(500)
  .describe('Why the operator does this. The audit log keeps it.');

/** Name of an operator, as the executor's configuration knows their key. */
export const operatorNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is not the name of an operator');

/** Most tokens that one command names. */
const MOST_RELEASED_TOKENS = 5;

const everyCommand = {
  chainId: z.number().int().positive().describe('The chain that it is meant for.'),
  reason: operatorReasonSchema.describe('Reason, in a sentence.'),
  nonce: z.uuid().describe('Used once.'),
  expiresAt: timeSchema.describe('Not carried out after it.'),
};
const ofJob = { ...everyCommand, jobId: jobIdSchema };
const ofHeldMoney = {
  ...ofJob,
  amountWei: weiSchema.describe(
    'HYPE that the operator saw held, wei: where it is another sum by now, nothing is done.',
  ),
  gasFrom: recipientSchema
    .optional()
    .describe(
      "Who sends the gas to the job's wallet where it has none; what comes from there may be spent on the delivery.",
    ),
  tokens: z
    .array(addressSchema)
    .min(1)
    .max(MOST_RELEASED_TOKENS)
    .optional()
    .describe('Contracts of tokens that were sent to the wallet by mistake: all that it has of each goes as well.'),
  wallet: z
    .strictObject({
      address: addressSchema.describe('Address of the wallet.'),
      index: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
      tokenAddress: addressSchema.describe("The job's token."),
    })
    .optional()
    .describe('Of a job to which only tokens came: it has no execution that would know its wallet.'),
};

/** What a command says that moves money, lets it move or ends that it moves: the text that operators sign. */
export const signedTextSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('cancel'), ...ofJob }),
  z.strictObject({ action: z.literal('resume'), ...ofJob }),
  z.strictObject({ action: z.literal('resume_all'), ...everyCommand }),
  z.strictObject({ action: z.literal('return'), ...ofHeldMoney }),
  z.strictObject({ action: z.literal('release'), ...ofHeldMoney, to: recipientSchema }),
  z.strictObject({
    action: z.literal('return_hypercore').describe('What was done.'),
    ...ofJob,
    walletAddress: addressSchema.describe('An unpaid job has no execution that would know its wallet.'),
    walletIndex: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
    amountWei: weiSchema.describe(
      'HYPE that the operator saw there, wei: all of it goes, and where it is another sum by now, nothing is done.',
    ),
    to: recipientSchema,
  }),
]);
export type SignedText = z.infer<typeof signedTextSchema>;

/** A command with the signatures under it. The text is carried as it was signed: nothing has to be written alike twice. */
export const signedCommandSchema = z.object({
  text: z.string().max(2000).describe('JSON of a `SignedText`.'),
  signatures: z
    .array(
      z.object({
        operator: operatorNameSchema.describe('Name of the operator.'),
        signature: z
          .string()
          .regex(/^[A-Za-z0-9_-]{86}$/, 'is not a signature')
          .describe('Ed25519, base64url.'),
      }),
    )
    .min(1)
    .max(5)
    .describe('Signatures of operators under the text.'),
});
export type SignedCommand = z.infer<typeof signedCommandSchema>;

/** One row of the executor's log of signed commands. Each holds the hash of the one before, so that none can be changed or taken out. */
export const commandLogRowSchema = z.object({
  number: z.number().int().positive().describe('From 1, without gaps.'),
  at: timeSchema,
  text: z.string().describe('The text that operators signed, as JSON.'),
  signatures: signedCommandSchema.shape.signatures.describe('Signatures of operators under the text.'),
  outcome: z.string().describe('How it ended, in a sentence.'),
  previousHash: z.string().describe('Of the row before; 64 zeros for the first.'),
  hash: z.string().describe('Hash of the row.'),
});
export type CommandLogRow = z.infer<typeof commandLogRowSchema>;

/** Query of `GET /operator/commands`: rows after a number, oldest first. */
export const commandLogQuerySchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0).describe('Last number or id that you have.'),
  limit: z.coerce.number().int().min(1).max(200).default(200).describe('Most entries of the page.'),
});
export type CommandLogQuery = z.infer<typeof commandLogQuerySchema>;

/** Answer of `GET /operator/commands`. */
export const commandLogResponseSchema = z.object({
  commands: z.array(commandLogRowSchema).describe('Rows of the log.'),
});
export type CommandLogResponse = z.infer<typeof commandLogResponseSchema>;
