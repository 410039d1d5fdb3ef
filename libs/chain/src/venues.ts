export type { EventLog } from './decode.ts';
export { EXCHANGES } from './exchanges/exchanges.ts';
export type { Purchase, PurchaseProof } from './shapes/exchange-shape.ts';
export { type Exchange, PURCHASE_PROOFS, proofOf } from './shapes/shapes.ts';
