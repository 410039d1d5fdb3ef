import type { transferSettled } from '@maker/contracts';
import type { z } from 'zod';
import type { Job } from '../job/job.ts';

/**
 * Tokens that are still at a job's address once a transfer is final: a delivery takes all that the wallet has of its token, whose
 * contract it calls. @returns undefined where nothing changes @param atMs of the event
 */
export function forgetDelivered(
  { tokenAddress, foundTokens }: Pick<Job, 'tokenAddress' | 'foundTokens'>,
  { kind, succeeded, to, amount }: z.output<typeof transferSettled.data>,
  atMs: number,
): Job['foundTokens'] {
  if (!foundTokens || kind !== 'delivery' || !succeeded) return undefined;
  const delivered = to.toLowerCase();
  // Of the job's own token the ledger knows how much moved, and some contracts claim what they do not do.
  if (delivered === tokenAddress.toLowerCase() && amount === '0') return undefined;
  const tokens = foundTokens.tokens.filter((token) => token.tokenAddress.toLowerCase() !== delivered);
  if (tokens.length === foundTokens.tokens.length) return undefined;
  return { tokens, searchedAtMs: Math.max(foundTokens.searchedAtMs, atMs) };
}
