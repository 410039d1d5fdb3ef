import type { JobRefund } from '@maker/contracts';
import { formatHype, shortenAddress } from '@maker/rules';

/** A sentence about money that pays for no order. */
export interface RefundAdvice {
  readonly kind: JobRefund['status'];
  readonly text: string;
}

/**
 * Explains in plain words what happens to money that pays for no order: too little, late, a second time, after the end.
 * At most one sentence each for pending, finished and held refunds. Source: design § 4 'Amounts'.
 */
export function refundAdvice(returns: readonly JobRefund[]): readonly RefundAdvice[] {
  return (['due', 'returned', 'held'] as const).flatMap((kind) => {
    const some = returns.filter(({ status }) => status === kind);
    return some.length === 0 ? [] : { kind, text: TEXTS[kind](sumOf(some), some) };
  });
}

const TEXTS: Readonly<Record<JobRefund['status'], (hype: string, returns: readonly JobRefund[]) => string>> = {
  due: (hype) => `${hype} HYPE was not used for this job. It is being refunded.`,
  returned: (hype, returns) => {
    const recipients = returns.flatMap(({ to }) => (to === undefined ? [] : shortenAddress(to)));
    return `${hype} HYPE was not used for this job. It was refunded, less the network fee, to ${each(recipients).join(' and ')}.`;
  },
  held: (hype, returns) => {
    const reasons = returns.flatMap(({ reason }) => reason ?? []);
    return `${hype} HYPE was not used for this job. The operator holds it: ${each(reasons).join('; ')}. Contact support.`;
  },
};

function sumOf(returns: readonly JobRefund[]): string {
  return formatHype(returns.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n));
}

function each(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
