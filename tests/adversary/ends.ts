import type { JobStatusResponse } from '@maker/contracts';

/**
 * The end of an attacked job in one line: its state, the tokens, the HYPE, strangers' money, and the reasons. Several, if it
 * depends on orders under way at the attack's moment, or on the shape of the pool.
 */
export type End = string | readonly string[];

/** End of a job without an attacker. */
export const UNHARMED = 'completed; tokens delivered; HYPE returned';

/** A transfer of less HYPE than this from an ended wallet does not pay for its gas, wei. */
const DUST_WEI = 10n ** 15n;

/** See {@link End}. @param refusal if the product refused the job */
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
  const stated = reasons.filter((reason): reason is string => reason !== undefined);
  // The number of failed orders depends on the orders under way.
  return [...new Set(stated.map((reason) => reason.replace(/^\d+ orders/, 'so many orders')))];
}
