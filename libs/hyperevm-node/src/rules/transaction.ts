import {
  type Hex,
  isHex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';
import type { BlockKind } from './block-schedule.ts';
import { INTERNAL_ERROR, invalidParameters, RpcError } from './json-rpc.ts';

const BASE_GAS = 21_000n;
const CREATION_GAS = 32_000n;
const ZERO_BYTE_GAS = 4n;
const BYTE_GAS = 16n;
const INITCODE_WORD_GAS = 2n;
const WORD_BYTES = 32;
const ACCESS_LIST_ADDRESS_GAS = 2_400n;
const ACCESS_LIST_KEY_GAS = 1_900n;

/** A signed transaction in the mempool. Addresses are in lower case. */
export interface SignedTransaction {
  hash: Hex;
  raw: Hex;
  sender: Hex;
  /** Undefined for the creation of a contract. */
  to: Hex | undefined;
  nonce: number;
  gas: bigint;
  valueWei: bigint;
  /** Maximum price per unit of gas, wei. */
  maxFeePerGasWei: bigint;
  /** Maximum priority fee within that price, wei. */
  maxTipWei: bigint;
}

/** A rejected transaction. HyperEVM does not document its error codes, so clients must not rely on this one. */
export function refused(message: string): RpcError {
  return new RpcError(INTERNAL_ERROR, message);
}

/**
 * Parses the parameter of `eth_sendRawTransaction`, and rejects a transaction that no block could include.
 * @throws RpcError
 */
export async function readSignedTransaction(raw: unknown, chainId: number): Promise<SignedTransaction> {
  if (!isHex(raw)) throw invalidParameters('a signed transaction in hex is expected');
  const parsed = await parse(raw);
  const { transaction, sender } = parsed;
  if (transaction.type === 'eip4844' || transaction.type === 'eip7702') throw refused('transaction type not supported');
  if (transaction.chainId !== undefined && transaction.chainId !== chainId) {
    throw refused(`invalid chain id: expected ${chainId}, got ${transaction.chainId}`);
  }
  const maxFeePerGasWei = transaction.maxFeePerGas ?? transaction.gasPrice ?? 0n;
  const maxTipWei = transaction.maxPriorityFeePerGas ?? transaction.gasPrice ?? 0n;
  if (maxTipWei > maxFeePerGasWei) throw refused('max priority fee per gas higher than max fee per gas');
  const gas = transaction.gas ?? 0n;
  const { data = '0x', to } = transaction;
  const accessList = ('accessList' in transaction && transaction.accessList) || [];
  const needed = intrinsicGas(data, to == null, accessList);
  if (gas < needed) throw refused(`intrinsic gas too low: have ${gas}, want ${needed}`);
  return {
    hash: keccak256(raw),
    raw,
    sender: sender.toLowerCase() as Hex,
    to: to ? (to.toLowerCase() as Hex) : undefined,
    nonce: transaction.nonce ?? 0,
    gas,
    valueWei: transaction.value ?? 0n,
    maxFeePerGasWei,
    maxTipWei,
  };
}

/** A transaction's price above the base fee per unit of gas, wei; negative while no block can include it. */
export function effectiveTip(transaction: { maxFeePerGasWei: bigint; maxTipWei: bigint }, baseFeeWei: bigint): bigint {
  const room = transaction.maxFeePerGasWei - baseFeeWei;
  const covered = room >= transaction.maxTipWei;
  return covered ? transaction.maxTipWei : room;
}

/** Rejects a transaction with more gas than any block of its kind has. @throws RpcError */
export function refuseLargerThanBlock(transaction: SignedTransaction, kind: BlockKind, blockGas: bigint): void {
  if (transaction.gas > blockGas)
    throw refused(`exceeds block gas limit: ${transaction.gas} > ${blockGas} of a ${kind} block`);
}

async function parse(raw: Hex) {
  try {
    const serialized = raw as TransactionSerialized;
    const sender = await recoverTransactionAddress({ serializedTransaction: serialized });
    return { transaction: parseTransaction(serialized), sender };
  } catch (error) {
    throw invalidParameters(`the transaction cannot be read (${(error as Error).message.split('\n')[0]})`);
  }
}

function intrinsicGas(data: Hex, creates: boolean, accessList: readonly { storageKeys: readonly Hex[] }[]): bigint {
  let gas = BASE_GAS;
  const bytes = Buffer.from(data.slice(2), 'hex');
  for (const byte of bytes) gas += byte === 0 ? ZERO_BYTE_GAS : BYTE_GAS;
  if (creates) gas += CREATION_GAS + INITCODE_WORD_GAS * BigInt(Math.ceil(bytes.length / WORD_BYTES));
  for (const { storageKeys } of accessList) {
    gas += ACCESS_LIST_ADDRESS_GAS + ACCESS_LIST_KEY_GAS * BigInt(storageKeys.length);
  }
  return gas;
}
