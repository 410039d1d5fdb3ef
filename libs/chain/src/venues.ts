export type { EventLog } from './decode.ts';
export { EXCHANGES } from './exchanges/exchanges.ts';
export type { Purchase, PurchaseProof } from './shapes/purchase-proof.ts';
export { type Exchange, PURCHASE_PROOFS, proofOf } from './shapes/shapes.ts';
