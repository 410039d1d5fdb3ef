import type { JobStatusResponse } from '@maker/contracts';

/**
 * How the job of an attack ends, in one line: its state, what became of tokens, HYPE and others' money, and why. Several, where
 * it depends on whether orders were under way at the attack's moment, or on the shape of the pool.
 */
export type End = string | readonly string[];

/** As a job ends whom nobody means harm. */
export const UNHARMED = 'completed; tokens delivered; HYPE returned';

/** Below this much HYPE in an ended wallet no transfer of it is worth its gas, wei. */
const DUST_WEI = 10n ** 15n;

/** See {@link End}. @param refusal where the product took no job */
export function endOf(job: JobStatusResponse | undefined, refusal = ''): string {
  if (!job) return `refused: ${refusal}`;
  const { status, receipt, returns = [] } = job;
  const others = ['returned', 'held', 'due'].filter((state) => returns.some((one) => one.status === state));
  return [
    status,
    ...(receipt ? [tokensOf(receipt), ...hypeOf(receipt)] : []),
    ...others.map((state) => `deposits ${state}`),
    ...whys(job).map((why) => `because ${why}`),
  ].join('; ');
}

function tokensOf({ tokensBought, deliveredTokens }: NonNullable<JobStatusResponse['receipt']>): string {
  if (BigInt(tokensBought) === 0n) return 'nothing bought';
  if (BigInt(deliveredTokens) === 0n) return 'tokens held';
  return BigInt(deliveredTokens) < BigInt(tokensBought) ? 'tokens delivered in part' : 'tokens delivered';
}

function hypeOf({ returnedWei, heldWei }: NonNullable<JobStatusResponse['receipt']>): string[] {
  const parts: string[] = [];
  if (BigInt(returnedWei) > 0n) parts.push('HYPE returned');
  if (BigInt(heldWei) >= DUST_WEI) parts.push('HYPE held');
  return parts;
}

function whys({ receipt, failureReason, returns = [] }: JobStatusResponse): string[] {
  const reasons = [failureReason, receipt?.heldReason, ...returns.map(({ reason }) => reason)];
  const told = reasons.filter((reason): reason is string => reason !== undefined);
  // How many orders failed depends on how many were under way with the twentieth.
  return [...new Set(told.map((reason) => reason.replace(/^\d+ orders/, 'so many orders')))];
}
