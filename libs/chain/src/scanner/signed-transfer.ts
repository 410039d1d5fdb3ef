import { isDust } from '@maker/rules';
import {
  formatTransaction,
  type Hex,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import type { Transfer } from './scan-events.ts';
import type { WireBlock, WireTransaction } from './wire-block.ts';

/** Transfers of a block, and those whose transaction does not prove who sent them. */
export interface ProvenTransfers {
  readonly proven: readonly Transfer[];
  readonly unproven: readonly Transfer[];
}

/**
 * Separates transfers whose sender the transaction's signature proves from those of which a node only says it. Dust and credits from
 * HyperCore, which have no sender, are left as they are.
 * @param chainId the chain for which transactions must be signed
 */
export async function proveTransfers(
  transfers: readonly Transfer[],
  block: WireBlock,
  chainId?: number,
): Promise<ProvenTransfers> {
  const inQuestion = transfers.filter(({ from, amountWei }) => from !== null && !isDust(amountWei));
  if (inQuestion.length === 0) return { proven: transfers, unproven: [] };
  const transactions = new Map(block.transactions.map((transaction) => [transaction.hash, transaction]));
  const unproven = new Set<Transfer>();
  for (const transfer of inQuestion) {
    const transaction = transactions.get(transfer.transactionHash);
    if (!transaction || !(await isSigned(transaction, chainId))) unproven.add(transfer);
  }
  return { proven: transfers.filter((transfer) => !unproven.has(transfer)), unproven: [...unproven] };
}

/**
 * Whether a transaction's hash and sender follow from its signed fields (recipient and value among them). What is false is not believed:
 * a node may say anything of a transaction, but cannot sign it.
 */
export async function isSigned(transaction: WireTransaction, chainId?: number): Promise<boolean> {
  try {
    const serialized = serialize(transaction, chainId);
    if (keccak256(serialized) !== transaction.hash) return false;
    const signer = await recoverTransactionAddress({ serializedTransaction: serialized as never });
    return signer.toLowerCase() === transaction.from;
  } catch {
    // Fields that make no transaction.
    return false;
  }
}

/** @throws Error where the fields make no transaction of the chain */
function serialize(transaction: WireTransaction, expectedChainId: number | undefined): Hex {
  const { r, s } = transaction;
  if (!r || !s) throw new Error('not signed');
  const { v, yParity, input, chainId: stated, ...fields } = formatTransaction(transaction as never);
  const isLegacy = fields.type === 'legacy';
  const chainId = isLegacy ? chainIdIn(v ?? 0n) : stated;
  // A legacy transaction may be signed for no chain in particular.
  if (expectedChainId !== undefined && chainId !== expectedChainId && !(isLegacy && chainId === undefined)) {
    throw new Error('signed for another chain');
  }
  const unsigned = { ...fields, data: input, nonce: fields.nonce ?? 0, ...(chainId !== undefined && { chainId }) };
  const signature = isLegacy
    ? { r: padded(r), s: padded(s), v: v ?? 0n }
    : { r: padded(r), s: padded(s), yParity: yParity ?? 0 };
  return serializeTransaction(unsigned as TransactionSerializable, signature as never);
}

/** EIP-155. */
function chainIdIn(v: bigint): number | undefined {
  return v >= 35n ? Number((v - 35n) / 2n) : undefined;
}

/** Nodes leave leading zeros out. */
function padded(scalar: Hex): Hex {
  return `0x${scalar.slice(2).padStart(64, '0')}`;
}
