import { erc20Abi, poolTradeOf, tokensFromPool, tokensReceived } from '@maker/chain';
import type { Inclusion, TransactionRecord } from '@maker/execution-records';
import { smaller } from '@maker/rules';
import { type Address, decodeFunctionData, type TransactionReceipt } from 'viem';

/**
 * Reads the inclusion of one of our transactions from its receipt.
 * @param tokenAddress the job's token @param blockAtMs timestamp of the block, ms
 */
export function inclusionOf(
  transaction: TransactionRecord,
  receipt: TransactionReceipt,
  tokenAddress: Address,
  blockAtMs: number,
): Inclusion {
  const attempt = transaction.attempts.find((candidate) => candidate.hash === receipt.transactionHash);
  if (!attempt) throw new Error(`Receipt ${receipt.transactionHash} belongs to no attempt of ${transaction.id}`);
  // A void replacement only used up the order's nonce, so the order did not succeed.
  const succeeded = receipt.status === 'success' && !attempt.isVoid;
  const tokens = tokensReceived(receipt, tokenAddress, transaction.sender);
  const isPurchase = succeeded && transaction.purpose === 'order';
  const trade = isPurchase ? poolTradeOf(receipt, transaction.terms?.feeTier) : undefined;
  // The token's event may claim more, but no more was bought than the pool sold.
  const soldByPool = isPurchase ? tokensFromPool(receipt) : undefined;
  return {
    hash: attempt.hash,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
    blockAt: new Date(blockAtMs),
    succeeded,
    gasUsed: Number(receipt.gasUsed),
    gasWei: receipt.gasUsed * receipt.effectiveGasPrice,
    movedWei: succeeded ? attempt.valueWei : 0n,
    receivedTokens: tokens > 0n ? smaller(tokens, soldByPool ?? tokens) : 0n,
    sentTokens: tokens < 0n ? smaller(-tokens, mostSent(transaction)) : 0n,
    ...(trade && { trade }),
  };
}

/** Most tokens that can have left the wallet. A delivery moves the amount of its call, even if the token's event claims more. */
function mostSent({ purpose, data }: TransactionRecord): bigint {
  if (purpose !== 'delivery') return 2n ** 256n;
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  if (functionName !== 'transfer') throw new Error(`A delivery calls ${functionName}, not transfer`);
  return args[1];
}

/** Whether enough blocks stand on a transaction to book it. @param confirmations blocks on top of its own */
export function isFinal(inclusion: Inclusion, headNumber: number, confirmations: number): boolean {
  return headNumber - inclusion.blockNumber >= confirmations;
}
