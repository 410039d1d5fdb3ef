import { MOST_RETURNS_RELEASED } from '@maker/contracts';
import type { Refund } from '@maker/execution-records';
import { smaller } from '@maker/rules';

/** The part of a release that one event reports. */
export interface ReleasedPart {
  /** Wei. */
  readonly amountWei: string;
  readonly returnIds: string[];
}

/**
 * Splits a release into the parts of one or more events, as one event can name a limited number of refunds. The amounts add
 * up to the release. @param amountWei all that is released, wei; some of it may belong to no refund
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
