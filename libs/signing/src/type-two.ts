import type { TransactionSerializableEIP1559 } from 'viem';
import type { UnsignedTransaction } from './signer.ts';

/** A transaction of ours in viem's terms, for every signer alike: type 2, each field as given. */
export function typeTwo(transaction: UnsignedTransaction) {
  return {
    type: 'eip1559',
    chainId: transaction.chainId,
    nonce: transaction.nonce,
    to: transaction.to,
    value: transaction.valueWei,
    data: transaction.data,
    gas: transaction.gas,
    maxFeePerGas: transaction.maxFeePerGasWei,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGasWei,
  } as const satisfies TransactionSerializableEIP1559;
}
