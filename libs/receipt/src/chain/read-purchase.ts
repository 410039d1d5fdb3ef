import { type Exchange, PURCHASE_PROOFS, type Purchase, type PurchaseProof, proofOf } from '@maker/chain/venues';
import type { Address } from 'viem';
import type { TransactionFact } from './chain-facts.ts';

/** An order's call, decoded by the shape of its exchange. */
export interface PurchaseRead {
  /** The exchange whose router was called; absent if the verifier does not know it. */
  readonly venue?: Exchange;
  readonly proof: PurchaseProof;
  readonly purchase: Purchase;
}

/** The known exchange of a router. */
export function venueOf(router: Address | null, venues: readonly Exchange[]): Exchange | undefined {
  return venues.find((venue) => venue.router.toLowerCase() === router);
}

/**
 * Decodes the call of an order: by the shape of its router's exchange, or by any shape if the verifier does not know the router.
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

/** Key of a purchase's pool in `ChainFacts.pools`. */
export function poolKey({ id }: Exchange, { tokenIn, tokenOut, feeTier }: Purchase): string {
  return [id, tokenIn, tokenOut, feeTier ?? ''].join(' ').toLowerCase();
}
