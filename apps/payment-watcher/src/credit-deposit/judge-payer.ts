import type { Confirming } from '../scan/scan-state.ts';

/** Blocks in which a second host is waited for; longer than most outages of an endpoint. */
export const MOST_BLOCKS_UNANSWERED = 300;

/** What is done about a transfer: credited with its payer, without, or not yet. */
export type PayerVerdict = 'credit' | 'credit_without_payer' | 'wait';

/**
 * Decides whom a transfer names as its payer. A payer is where tokens and rest go, so that no single host decides it.
 * A transfer that hosts disagree about is never credited: one of them lies, and nobody can say which. Source: docs/adr/0054.
 * @param hostCount hosts that are configured
 * @param trustsSingle whether the operator accepts the word of one host where no second one is heard
 */
export function judgePayer(
  confirming: Confirming | undefined,
  blockNumber: number,
  { hostCount, trustsSingle }: { readonly hostCount: number; readonly trustsSingle: boolean },
): PayerVerdict {
  if (hostCount < 2) return trustsSingle ? 'credit' : 'credit_without_payer';
  switch (confirming?.says) {
    case 'confirmed':
      return 'credit';
    case 'unanswered':
      if (trustsSingle) return 'credit';
      return blockNumber - confirming.sinceBlock >= MOST_BLOCKS_UNANSWERED ? 'credit_without_payer' : 'wait';
    default:
      return 'wait';
  }
}
