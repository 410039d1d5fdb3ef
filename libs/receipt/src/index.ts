export { readFacts } from './chain/read-facts.ts';
export * from './check/check-receipt.ts';
export { canonicalText, contentHashOf, contentHashOfPages } from './file/content-hash.ts';
export * from './file/receipt-file.ts';
export { addOrder, missingTokens, NO_ORDERS, type OrderSums, sumsOf, undelivered } from './file/sums.ts';
export { receiptTypedData } from './file/typed-data.ts';
export { isCurrent } from './verify/evidence.ts';
export { openReceipt, type Verdict, verifyReceipt } from './verify/verify-receipt.ts';
