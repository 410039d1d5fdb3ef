export type { ChainFacts, TransactionFact } from './chain/chain-facts.ts';
export { type FactsClient, readFacts } from './chain/read-facts.ts';
export { canonicalPieces, canonicalText, contentHashOf, contentHashOfPages } from './file/content-hash.ts';
export * from './file/receipt-file.ts';
export { addOrder, NO_ORDERS, type OrderSums, sumsOf } from './file/sums.ts';
export { receiptTypedData } from './file/typed-data.ts';
export { type Finding, type OpenedFile, openReceipt, type Verdict, verifyReceipt } from './verify/verify-receipt.ts';
