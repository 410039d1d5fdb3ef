import type { Confirming } from '../scan/scan-state.ts';

/** Blocks to wait for a second host; longer than most outages of an endpoint. */
export const MOST_BLOCKS_UNANSWERED = 300;

/** The decision on a transfer: credit it with its payer, without one, or not yet. */
export type PayerVerdict = 'credit' | 'credit_without_payer' | 'wait';

/**
 * Decides whether a transfer's sender counts as payer. The payer receives tokens and rest, so no single host decides it.
 * A transfer that hosts contradict is never credited: one host lies, and it is unknown which. Source: docs/adr/0054.
 * @param hostCount number of configured hosts
 * @param trustsSingle whether the operator accepts one host's answer if no second host answers
 */
export function judgePayer(
  confirming: Confirming | undefined,
  blockNumber: number,
  { hostCount, trustsSingle }: { readonly hostCount: number; readonly trustsSingle: boolean },
): PayerVerdict {
  if (hostCount < 2) return trustsSingle ? 'credit' : 'credit_without_payer';
  switch (confirming?.outcome) {
    case 'confirmed':
      return 'credit';
    case 'unanswered':
      if (trustsSingle) return 'credit';
      return blockNumber - confirming.sinceBlock >= MOST_BLOCKS_UNANSWERED ? 'credit_without_payer' : 'wait';
    default:
      return 'wait';
  }
}
