import { JOB_STATUSES, PAUSE_REASONS, parseRecipient } from '@maker/rules';
import { z } from 'zod';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An EVM address as 0x and 40 hexadecimal digits, in any case; passed on in lower case. */
export const addressSchema = z
  .string()
  .regex(ADDRESS, 'must be 0x followed by 40 hexadecimal digits')
  .transform((value) => value.toLowerCase() as `0x${string}`);

/**
 * An address to which money may go, passed on in lower case: its checksum is right, and it is no dead end that all of us know.
 * Who handles it refuses the others (rules `parseRecipient`).
 */
export const recipientSchema = z
  .string()
  .regex(ADDRESS, 'must be 0x followed by 40 hexadecimal digits')
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
  .transform((value) => value as `0x${string}`);

/** An amount in wei (or in a token's smallest unit) as a decimal string: money never travels as a number. */
export const weiSchema = z.string().regex(/^\d+$/, 'must be an integer in wei as a decimal string');

/** The same, of what may be below zero. */
export const signedWeiSchema = z.string().regex(/^-?\d+$/, 'must be an integer in wei as a decimal string');

/** A plain transfer that names its sender: maker-executor proves it from the chain before it sends anything there. */
export const claimedTransferSchema = z.object({ transactionHash: hashSchema, amountWei: weiSchema });
export type ClaimedTransferMessage = z.input<typeof claimedTransferSchema>;

/** A time as ISO 8601 in UTC. */
export const timeSchema = z.iso.datetime();

/** A job id: 'job_' and 128 random bits in hexadecimal, so that none can be guessed. */
export const jobIdSchema = z.string().regex(/^job_[0-9a-f]{32}$/, 'is not a job id');

/** Job status. Source: specification § 4. */
export const jobStatusSchema = z.enum(JOB_STATUSES);

/** Why an active job waits. Source: design § 4. */
export const pauseReasonSchema = z.enum(PAUSE_REASONS);
