import { z } from 'zod';
import { addressSchema, jobIdSchema, recipientSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Why an operator does something. The audit log keeps it for ever. */
export const operatorReasonSchema = z
  .string()
  .trim()
  .min(3)
  .max(500)
  .describe('Why the operator does this. The audit log keeps it.');

/** Name of an operator's key in the executor's configuration. */
export const operatorNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is not the name of an operator');

/** Most tokens that one command names. */
const MOST_RELEASED_TOKENS = 5;

const everyCommand = {
  chainId: z.number().int().positive().describe('Chain for which the command is valid.'),
  reason: operatorReasonSchema.describe('Reason, in a sentence.'),
  nonce: z.uuid().describe('Unique: each nonce is accepted once.'),
  expiresAt: timeSchema.describe('The command is refused after this time.'),
};
const ofJob = { ...everyCommand, jobId: jobIdSchema };
const ofHeldMoney = {
  ...ofJob,
  amountWei: weiSchema.describe(
    'Held HYPE that the operator saw, wei. If the sum is different now, the command is refused.',
  ),
  gasFrom: recipientSchema
    .optional()
    .describe(
      "Address that sends gas to the job's wallet if it has none. HYPE from this address may pay for the delivery.",
    ),
  tokens: z
    .array(addressSchema)
    .min(1)
    .max(MOST_RELEASED_TOKENS)
    .optional()
    .describe('Contracts of tokens that were sent to the wallet by mistake. The whole balance of each is sent too.'),
  wallet: z
    .strictObject({
      address: addressSchema.describe('Address of the wallet.'),
      index: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
      tokenAddress: addressSchema.describe("The job's token."),
    })
    .optional()
    .describe('Wallet of a job that received only tokens: it has no execution that knows the wallet.'),
};

/** The text that operators sign: a command that moves money, allows it to move, or ends its movement. */
export const signedTextSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('cancel'), ...ofJob }),
  z.strictObject({ action: z.literal('resume'), ...ofJob }),
  z.strictObject({ action: z.literal('resume_all'), ...everyCommand }),
  z.strictObject({ action: z.literal('return'), ...ofHeldMoney }),
  z.strictObject({ action: z.literal('release'), ...ofHeldMoney, to: recipientSchema }),
  z.strictObject({
    action: z.literal('return_hypercore').describe('Name of the command.'),
    ...ofJob,
    walletAddress: addressSchema.describe('Wallet of the job: an unpaid job has no execution that knows it.'),
    walletIndex: z.number().int().nonnegative().describe('Index of the wallet below the account key.'),
    amountWei: weiSchema.describe(
      'HYPE that the operator saw on HyperCore, wei. All of it is sent. If the sum is different now, the command is refused.',
    ),
    to: recipientSchema,
  }),
]);
export type SignedText = z.infer<typeof signedTextSchema>;

/** A command with its signatures. It carries the signed text itself, so that no process has to serialise it again. */
export const signedCommandSchema = z.object({
  text: z.string().max(2000).describe('JSON of a `SignedText`.'),
  signatures: z
    .array(
      z.strictObject({
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

/** One row of the executor's log of signed commands. Each holds the hash of the row before, so that a change or removal is detected. */
export const commandLogRowSchema = z.object({
  number: z.number().int().positive().describe('Number of the row, from 1 without gaps.'),
  at: timeSchema,
  text: z.string().describe('The text that operators signed, as JSON.'),
  signatures: signedCommandSchema.shape.signatures.describe('Signatures of operators under the text.'),
  outcome: z.string().describe('How it ended, in a sentence.'),
  previousHash: z.string().describe('Hash of the row before; 64 zeros for the first row.'),
  hash: z.string().describe('Hash of the row.'),
});
export type CommandLogRow = z.infer<typeof commandLogRowSchema>;

/** Query of `GET /operator/commands`: rows after a number, oldest first. */
export const commandLogQuerySchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0).describe('Number of the last row that you have.'),
  limit: z.coerce.number().int().min(1).max(200).default(200).describe('Most entries of the page.'),
});
export type CommandLogQuery = z.infer<typeof commandLogQuerySchema>;

/** Answer of `GET /operator/commands`. */
export const commandLogResponseSchema = z.object({
  commands: z.array(commandLogRowSchema).describe('Rows of the log.'),
});
export type CommandLogResponse = z.infer<typeof commandLogResponseSchema>;
