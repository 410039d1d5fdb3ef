import { MOST_RETURNS_RELEASED } from '@maker/contracts';
import type { Refund } from '@maker/execution-records';
import { smaller } from '@maker/rules';

/** What one event tells of a release. */
export interface ReleasedPart {
  /** Wei. */
  readonly amountWei: string;
  readonly returnIds: string[];
}

/**
 * A release as it is told: by one event, or by several where it is of a great many refunds. Their amounts add up to it.
 * @param amountWei all that is released, wei; some of it may be of no refund
 */
export function releasedParts(amountWei: bigint, held: readonly Pick<Refund, 'id' | 'amountWei'>[]): ReleasedPart[] {
  const parts: ReleasedPart[] = [];
  let leftWei = amountWei;
  for (let from = 0; from === 0 || from < held.length; from += MOST_RETURNS_RELEASED) {
    const refunds = held.slice(from, from + MOST_RETURNS_RELEASED);
    const isLast = from + MOST_RETURNS_RELEASED >= held.length;
    const sumWei = refunds.reduce((sum, refund) => sum + refund.amountWei, 0n);
    const partWei = isLast ? leftWei : smaller(leftWei, sumWei);
    leftWei -= partWei;
    parts.push({ amountWei: partWei.toString(), returnIds: refunds.map(({ id }) => id) });
  }
  return parts;
}
