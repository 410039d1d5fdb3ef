import type { transferSettled } from '@maker/contracts';
import type { z } from 'zod';
import type { Job } from '../job/job.ts';

/**
 * Found tokens that remain at a job's address after a final transfer. A delivery sends the wallet's whole balance of the token whose
 * contract it calls. @returns undefined if nothing changes @param atMs time of the event
 */
export function forgetDelivered(
  { tokenAddress, foundTokens }: Pick<Job, 'tokenAddress' | 'foundTokens'>,
  { kind, succeeded, to, amount }: z.output<typeof transferSettled.data>,
  atMs: number,
): Job['foundTokens'] {
  if (!foundTokens || kind !== 'delivery' || !succeeded) return undefined;
  const delivered = to.toLowerCase();
  // For the job's own token, the ledger knows the moved amount: some contracts report transfers that they do not make.
  if (delivered === tokenAddress.toLowerCase() && amount === '0') return undefined;
  const tokens = foundTokens.tokens.filter((token) => token.tokenAddress.toLowerCase() !== delivered);
  if (tokens.length === foundTokens.tokens.length) return undefined;
  return { tokens, searchedAtMs: Math.max(foundTokens.searchedAtMs, atMs) };
}
