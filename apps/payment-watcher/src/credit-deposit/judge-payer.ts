import type { Confirmation } from '@maker/chain';

/** The decision on a transfer: credit it with its payer, without one, or not yet. */
export type PayerVerdict = 'credit' | 'credit_without_payer' | 'wait';

/**
 * Decides whether a transfer's sender counts as payer. The payer receives tokens and rest, so no single host decides it.
 * While no second host answers, the transfer waits: an outage makes no payer unknown. A transfer that hosts contradict is never
 * credited: one host lies, and it is unknown which. Source: docs/adr/0054 and 0150.
 * @param outcome of the hosts' answers @param hostCount number of configured hosts
 * @param trustsSingle whether the operator accepts one host's answer if no second host answers
 */
export function judgePayer(
  outcome: Confirmation | undefined,
  { hostCount, trustsSingle }: { readonly hostCount: number; readonly trustsSingle: boolean },
): PayerVerdict {
  if (hostCount < 2) return trustsSingle ? 'credit' : 'credit_without_payer';
  if (outcome === 'confirmed' || (outcome === 'unanswered' && trustsSingle)) return 'credit';
  return 'wait';
}
