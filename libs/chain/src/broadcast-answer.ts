import { type ErrorMeaning, meaningOf } from './error-meaning.ts';

/**
 * The reasons for which a node refuses signed bytes; each decides the next step. Source: design § 5.
 * `known`: the node has them already, which is success. `nonce_used`: that nonce is mined, so a receipt decides.
 * `underpriced`: a higher fee is needed, or the base fee must fall. `unfunded`: the wallet holds less than the
 * transaction moves. `unavailable`: the result is unknown, send the same bytes again. `refused`: anything else.
 */
export const BROADCAST_ANSWERS = ['known', 'nonce_used', 'underpriced', 'unfunded', 'unavailable', 'refused'] as const;

/** See {@link BROADCAST_ANSWERS}. */
export type BroadcastAnswer = (typeof BROADCAST_ANSWERS)[number];

const ANSWERS: Readonly<Record<ErrorMeaning, BroadcastAnswer>> = {
  known: 'known',
  nonce_used: 'nonce_used',
  underpriced: 'underpriced',
  unfunded: 'unfunded',
  not_there: 'unavailable',
  limited: 'unavailable',
  unclear: 'unavailable',
  passing: 'unavailable',
  broken: 'unavailable',
  reverted: 'refused',
  too_large: 'refused',
  unsupported: 'refused',
  refused: 'refused',
};

/** Classifies an error of `eth_sendRawTransaction`. */
export function classifyBroadcastError(error: unknown): BroadcastAnswer {
  return ANSWERS[meaningOf(error)];
}
