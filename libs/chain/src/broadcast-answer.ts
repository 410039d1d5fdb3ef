import { type ErrorMeaning, meaningOf } from './error-meaning.ts';

/**
 * What a node's refusal of signed bytes means for what to do next. Source: design § 5.
 * `known`: it has them already, which is success. `nonce_used`: that nonce is mined, so a receipt decides.
 * `underpriced`: dearer bytes are needed, or the base fee must fall. `unfunded`: the wallet holds less than the
 * transaction moves. `unavailable`: nothing is known, the same bytes are sent again. `refused`: anything else.
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

/** Classifies what `eth_sendRawTransaction` failed with. */
export function classifyBroadcastError(error: unknown): BroadcastAnswer {
  return ANSWERS[meaningOf(error)];
}
