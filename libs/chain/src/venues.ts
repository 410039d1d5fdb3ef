export type { EventLog } from './decode.ts';
export { EXCHANGES } from './exchanges/exchanges.ts';
export type { Purchase, PurchaseProof } from './shapes/exchange-shape.ts';
export type { OutputRange, PoolPoint } from './shapes/pool-history.ts';
export { type Exchange, historyOf, PURCHASE_PROOFS, proofOf } from './shapes/shapes.ts';
