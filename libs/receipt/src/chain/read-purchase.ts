import { type Exchange, PURCHASE_PROOFS, type Purchase, type PurchaseProof, proofOf } from '@maker/chain/venues';
import type { Address } from 'viem';
import type { TransactionFact } from './chain-facts.ts';

/** An order's call, as the shape of its exchange reads it. */
export interface PurchaseRead {
  /** The exchange whose router was called; absent where the verifier knows none. */
  readonly venue?: Exchange;
  readonly proof: PurchaseProof;
  readonly purchase: Purchase;
}

/** The exchange of a router, among those that the verifier knows. */
export function venueOf(router: Address | null, venues: readonly Exchange[]): Exchange | undefined {
  return venues.find((venue) => venue.router.toLowerCase() === router);
}

/**
 * Reads the call of an order: by the shape of the exchange whose router it calls, or by any shape where the verifier knows none.
 * @returns undefined for a call that is no purchase
 */
export function readPurchase({ to, input }: TransactionFact, venues: readonly Exchange[]): PurchaseRead | undefined {
  const venue = venueOf(to, venues);
  for (const proof of venue ? [proofOf(venue)] : PURCHASE_PROOFS) {
    const purchase = proof.readPurchase(input);
    if (purchase) return { ...(venue && { venue }), proof, purchase };
  }
  return undefined;
}

/** By which the facts name the pool of a purchase. */
export function poolKey({ id }: Exchange, { tokenIn, tokenOut, feeTier }: Purchase): string {
  return [id, tokenIn, tokenOut, feeTier ?? ''].join(' ').toLowerCase();
}
