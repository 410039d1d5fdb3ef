import type { Address, Hash, Hex, TransactionSerializableEIP1559, TypedDataDefinition } from 'viem';
import type { SignedSpotSend, SpotSend } from './spot-send.ts';

/**
 * A type 2 transaction with every field set: no later step adds one. Values and fees in wei, fees per gas.
 * Source: design § 5.
 */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly valueWei: bigint;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
}

/** Converts a transaction to viem's form, the same for every signer: type 2, each field unchanged. */
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

/** Signed bytes: saved before the broadcast, and broadcast again unchanged. Source: design § 5. */
export interface SignedTransaction {
  readonly rawTransaction: Hex;
  readonly hash: Hash;
}

/** Signs for one address, with a key that never leaves it. Source: design § 6. */
export interface Signer {
  /** EIP-55 checksummed. */
  readonly address: Address;
  signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction>;
  /** Signs typed data (EIP-712). @returns r, s and v in 65 bytes, s the lower of its two values */
  signTypedData(typedData: TypedDataDefinition): Promise<Hex>;
}

/** A wallet of the seed: its address and key also hold money on HyperCore. Source: hyperevm § 1.1. */
export interface WalletSigner extends Signer {
  signSpotSend(send: SpotSend): Promise<SignedSpotSend>;
}
