import type { Hash, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainFacts, TransactionFact } from './chain/chain-facts.ts';
import { contentHashOf } from './file/content-hash.ts';
import type { ReceiptFile, SignedReceipt } from './file/receipt-file.ts';
import { receiptTypedData } from './file/typed-data.ts';
import { type JobReport, SimulatedExecutor } from './simulated-executor.fixture.ts';

export * from './parties.fixture.ts';
export { buyCall, transferLog } from './purchases.fixture.ts';
export type { JobReport } from './simulated-executor.fixture.ts';

/** A completed job: paid, the fee, orders on schedule (one reverted, one given up), a refund, delivery and return. */
export function honestReceipt(orderCount = 40): JobReport {
  const { receipt, facts } = new SimulatedExecutor({ orderCount }).run();
  const pauses = [{ reason: 'gas_guardrail', from: '2027-01-16T09:00:00.000Z', to: '2027-01-16T09:30:00.000Z' }];
  return { receipt: { ...receipt, pauses }, facts };
}

/** Signs a receipt without changes. */
export async function signedBy(key: Hex, receipt: SignedReceipt): Promise<ReceiptFile> {
  const typedData = receiptTypedData(receipt, await contentHashOf(receipt));
  return { receipt, signature: await privateKeyToAccount(key).signTypedData(typedData) };
}

/** The facts with one transaction changed. */
export function withTransaction(
  { facts }: Pick<JobReport, 'facts'>,
  hash: Hash,
  change: Partial<TransactionFact>,
): ChainFacts {
  const fact = facts.transactions.get(hash);
  if (!fact) throw new Error(`${hash} is not on the chain`);
  return { ...facts, transactions: new Map(facts.transactions).set(hash, { ...fact, ...change }) };
}
