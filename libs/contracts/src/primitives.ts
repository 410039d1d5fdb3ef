import {
  hypeNumberToWei,
  InvalidAmountError,
  JOB_STATUSES,
  PAUSE_REASONS,
  parseHype,
  parseRecipient,
} from '@maker/rules';
import { z } from 'zod';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An EVM address as 0x and 40 hexadecimal digits in any case. The output is in lower case. */
export const addressSchema = z
  .string()
  .regex(ADDRESS, 'must be 0x followed by 40 hexadecimal digits')
  // Before the transform, because JSON Schema drops examples after it.
  .meta({ description: 'EVM address, in any case.', examples: ['0x5555555555555555555555555555555555555555'] })
  .transform((value) => value.toLowerCase() as `0x${string}`);

/**
 * An address that may receive money, with a right checksum and not a known dead end (rules `parseRecipient`).
 * The output is in lower case. Services refuse other dead ends.
 */
export const recipientSchema = z
  .string()
  .regex(ADDRESS, 'must be 0x followed by 40 hexadecimal digits')
  .meta({
    description: 'EVM address that may receive money: in checksum case or in one case, and not a known dead end.',
    examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  })
  .transform((value, { addIssue }) => {
    const recipient = parseRecipient(value);
    if (recipient.ok) return recipient.address;
    addIssue({ code: 'custom', message: recipient.problem });
    return z.NEVER;
  });

/** A transaction or block hash. */
export const hashSchema = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .meta({ description: 'Hash of a transaction or block.', examples: [`0x${'ab'.repeat(32)}`] })
  .transform((value) => value as `0x${string}`);

/** An amount in wei, or in a token's smallest unit, as a decimal string: messages never carry money as a number. */
export const weiSchema = z
  .string()
  .regex(/^\d+$/, 'must be an integer in wei as a decimal string')
  .meta({
    description: 'Amount in wei, or in the smallest unit of the token, as a decimal string.',
    examples: ['500000000000000000'],
  });

/** Digits of an amount in a string: below 1,000,000 HYPE, without sign, exponent, separator or blank. */
const HYPE_TEXT = /^\d{1,6}(\.\d{1,18})?$/;
const HYPE_FORM = 'must be a number in HYPE, or a decimal string with at most 18 decimals, such as "0.5"';

/**
 * An amount in HYPE of a request: a number with at most 9 decimals, or a decimal string with at most 18. The output is in wei.
 * Source: specification § 3; design § 4 'Amounts'.
 */
export const hypeAmountSchema = z
  .union(
    [
      z.number().meta({ exclusiveMinimum: 0, exclusiveMaximum: 1e6 }),
      z.string().regex(HYPE_TEXT, HYPE_FORM).describe('A decimal string.'),
    ],
    HYPE_FORM,
  )
  .meta({
    description: 'In HYPE: a number with at most 9 decimals, or a decimal string with at most 18.',
    examples: [0.5],
  })
  .transform((amount, { addIssue }) => {
    try {
      const wei = typeof amount === 'number' ? hypeNumberToWei(amount) : parseHype(amount);
      if (wei > 0n) return wei;
      addIssue({ code: 'custom', message: 'must be more than 0' });
    } catch (error) {
      if (!(error instanceof InvalidAmountError)) throw error;
      addIssue({ code: 'custom', message: error.message });
    }
    return z.NEVER;
  });

/** A price X96 as a decimal string. `title` lets the generator of the client's types distinguish it from an amount. */
export const priceX96Schema = weiSchema.meta({
  title: 'Price X96',
  description: 'Price in wei for the smallest unit of the token, times 2^96, as a decimal string.',
  examples: ['79228162514264337593543950336'],
});

/** An amount in wei as a decimal string; may be negative. */
export const signedWeiSchema = z
  .string()
  .regex(/^-?\d+$/, 'must be an integer in wei as a decimal string')
  .meta({ description: 'Amount in wei as a decimal string; negative for a gain.', examples: ['-1200000000000'] });

/** A token found at a job's address. The token's contract writes `symbol` and `decimals`: show both as text only. */
export const foundTokenSchema = z.object({
  tokenAddress: z.string().describe('Contract of the token.'),
  amount: weiSchema.describe('In the smallest unit of the token.'),
  symbol: z.string().describe('Symbol that the token names; empty if it names none.'),
  decimals: z.number().int().nonnegative().describe('Decimals of an amount; 0 if the token names none.'),
});
export type FoundToken = z.infer<typeof foundTokenSchema>;

/** A plain transfer that names its sender. maker-executor proves it by the chain before it sends money to the sender. */
export const claimedTransferSchema = z.object({ transactionHash: hashSchema, amountWei: weiSchema });
export type ClaimedTransferMessage = z.output<typeof claimedTransferSchema>;

export const timeSchema = z.iso
  .datetime()
  .meta({ description: 'Time as ISO 8601 in UTC.', examples: ['2026-01-01T00:00:00.000Z'] });

/** A job id: 'job_' and 128 random bits in hexadecimal, so that it cannot be guessed. */
export const jobIdSchema = z
  .string()
  .regex(/^job_[0-9a-f]{32}$/, 'is not a job id')
  .meta({ description: 'Id of the job.', examples: ['job_0123456789abcdef0123456789abcdef'] });

/** Job status. Source: specification § 4. */
export const jobStatusSchema = z.enum(JOB_STATUSES).meta({ description: 'Status of the job.', examples: ['active'] });

/** Why an active job waits. Source: design § 4. */
export const pauseReasonSchema = z.enum(PAUSE_REASONS).meta({ description: 'Why an active job waits.' });
