export { readFacts } from './chain/read-facts.ts';
export * from './check/check-receipt.ts';
export { readServiceUrl, ServiceSilentError } from './check/read-service.ts';
export { canonicalText, contentHashOf, contentHashOfPages } from './file/content-hash.ts';
export { quoted } from './file/quoted.ts';
export type {
  Deposit,
  PublishedRules,
  ReceiptFile,
  ReceiptHead,
  SignedOrder,
  SignedPause,
  SignedReceipt,
  SignedTransfer,
} from './file/receipt-file.ts';
export { addOrder, missingTokens, NO_ORDERS, type OrderSums, sumsOf, undelivered } from './file/sums.ts';
export { receiptTypedData } from './file/typed-data.ts';
export { BLOCKS_PER_REQUEST } from './prices/read-pools-of-job.ts';
export { isCurrent } from './verify/evidence.ts';
export { RULES_VERSION } from './verify/rulebook.ts';
export { openReceipt, unreadable, type Verdict, verdictSummary, verifyReceipt } from './verify/verify-receipt.ts';
