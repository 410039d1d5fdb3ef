import type { JobReturn } from '@maker/contracts';
import { formatHype, shortenAddress } from '@maker/rules';

/** A sentence about money that pays for no order. */
export interface ReturnAdvice {
  readonly kind: JobReturn['status'];
  readonly text: string;
}

/**
 * Says in plain words what becomes of money that pays for no order: too little, late, a second time, after the end.
 * One sentence for what is on its way, one for what went back, one for what is held. Source: design § 4 'Amounts'.
 */
export function returnAdvice(returns: readonly JobReturn[]): readonly ReturnAdvice[] {
  return (['due', 'returned', 'held'] as const).flatMap((kind) => {
    const some = returns.filter(({ status }) => status === kind);
    return some.length === 0 ? [] : { kind, text: TEXTS[kind](sumOf(some), some) };
  });
}

const TEXTS: Readonly<Record<JobReturn['status'], (hype: string, returns: readonly JobReturn[]) => string>> = {
  due: (hype) => `${hype} HYPE that pays for no order is on its way back`,
  returned: (hype, returns) => {
    const recipients = returns.flatMap(({ to }) => (to === undefined ? [] : shortenAddress(to)));
    return `${hype} HYPE that pays for no order went back, less gas, to ${each(recipients).join(' and ')}`;
  },
  held: (hype, returns) => {
    const reasons = returns.flatMap(({ reason }) => reason ?? []);
    return `The operator holds ${hype} HYPE that pays for no order: ${each(reasons).join('; ')}. Contact support`;
  },
};

function sumOf(returns: readonly JobReturn[]): string {
  return formatHype(returns.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n));
}

function each(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
