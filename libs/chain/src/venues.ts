export { multicall3Abi } from './abi/multicall3.ts';
export type { EventLog } from './decode.ts';
export { EXCHANGES } from './exchanges/exchanges.ts';
export type { Query } from './query.ts';
export type { Pool } from './shapes/exchange-adapter.ts';
export { isFirst } from './shapes/exchange-entry.ts';
export type { Purchase, PurchaseProof } from './shapes/exchange-shape.ts';
export type { EventWeight, OutputRange, PoolHistory, PoolPoint } from './shapes/pool-history.ts';
export { type Exchange, historyOf, PURCHASE_PROOFS, proofOf } from './shapes/shapes.ts';
