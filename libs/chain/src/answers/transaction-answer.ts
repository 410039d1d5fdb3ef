import {
  type Fields,
  isAddress,
  isBlockNumber,
  isBytes,
  isCalldata,
  isHash,
  isObject,
  isQuantity,
  isSafeNumber,
  isShortText,
  lowerAddresses,
  optional,
  wrongFieldOf,
} from './wire-values.ts';

/** The block that an answer's objects must belong to; undefined fields are not known. */
export interface OfBlock {
  readonly number?: unknown;
  readonly hash?: unknown;
}

/** The fields that the product reads of a single transaction. */
const FIELDS: Fields = {
  hash: isHash,
  from: isAddress,
  to: optional(isAddress),
  value: isQuantity,
  input: isBytes,
  nonce: isSafeNumber,
  gas: isSafeNumber,
  blockHash: optional(isHash),
  blockNumber: optional(isBlockNumber),
  transactionIndex: optional(isSafeNumber),
  gasPrice: optional(isQuantity),
  maxFeePerGas: optional(isQuantity),
  maxPriorityFeePerGas: optional(isQuantity),
  maxFeePerBlobGas: optional(isQuantity),
  chainId: optional(isSafeNumber),
  type: optional(isSafeNumber),
  r: optional(isQuantity),
  s: optional(isQuantity),
  v: optional(isQuantity),
  yParity: optional(isSafeNumber),
};

/** Checks a transaction that was asked for by its hash. @returns the wrong part; undefined if none is */
export function wrongInTransaction(answer: unknown, hash: unknown): string | undefined {
  if (!isObject(answer)) return 'transaction';
  lowerAddresses(answer, 'from', 'to');
  return wrongFieldOf(answer, FIELDS) ?? (answer.hash === hash ? undefined : 'hash, which was not asked for');
}

/**
 * Checks the transactions of a block, thousands a second: the signed fields, which only `signerOf` reads, by their length.
 * @returns the wrong part; undefined if none is
 */
export function wrongInTransactions(list: unknown, block: OfBlock): string | undefined {
  if (!Array.isArray(list)) return 'transactions';
  for (const [index, transaction] of list.entries()) {
    const wrong = wrongOfMany(transaction, block);
    if (wrong) return `transactions[${index}].${wrong}`;
  }
  return undefined;
}

function wrongOfMany(transaction: unknown, block: OfBlock): string | undefined {
  if (!isObject(transaction)) return 'object';
  const { hash, input, value, nonce, gas, gasPrice, blockHash, blockNumber, r, s, v, type } = transaction;
  if (!isHash(hash)) return 'hash';
  lowerAddresses(transaction, 'from', 'to');
  if (!isAddress(transaction.from)) return 'from';
  const { to } = transaction;
  if (to !== null && to !== undefined && !isAddress(to)) return 'to';
  if (!isQuantity(value)) return 'value';
  if (!isCalldata(input)) return 'input';
  if (gasPrice !== undefined && !isQuantity(gasPrice)) return 'gasPrice';
  if (!isShortText(nonce)) return 'nonce';
  if (!isShortText(gas)) return 'gas';
  if (!isShortIfThere(r) || !isShortIfThere(s) || !isShortIfThere(v) || !isShortIfThere(type)) return 'r, s, v or type';
  if (block.hash === undefined ? !isHashIfThere(blockHash) : isOther(blockHash, block.hash)) return 'blockHash';
  return isOther(blockNumber, block.number) ? 'blockNumber' : undefined;
}

const isShortIfThere = optional(isShortText);
const isHashIfThere = optional(isHash);

/** Whether a value differs from the expected one, where both are there. */
export function isOther(value: unknown, expected: unknown): boolean {
  return value !== undefined && value !== null && expected !== undefined && value !== expected;
}
