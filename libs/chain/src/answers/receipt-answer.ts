import { isSame } from './block-answer.ts';
import { isOther } from './transaction-answer.ts';
import {
  type Fields,
  isAddress,
  isBlockNumber,
  isBytes,
  isHash,
  isObject,
  isQuantity,
  isSafeNumber,
  lowerAddresses,
  optional,
  wrongFieldOf,
} from './wire-values.ts';

const FIELDS: Fields = {
  transactionHash: isHash,
  blockHash: isHash,
  blockNumber: isBlockNumber,
  status: (value) => value === '0x0' || value === '0x1',
  from: isAddress,
  to: optional(isAddress),
  contractAddress: optional(isAddress),
  gasUsed: isSafeNumber,
  effectiveGasPrice: isQuantity,
  cumulativeGasUsed: optional(isSafeNumber),
  transactionIndex: optional(isSafeNumber),
  type: optional(isSafeNumber),
  blobGasUsed: optional(isQuantity),
  blobGasPrice: optional(isQuantity),
};

const MOST_TOPICS = 4;

const LOG_FIELDS: Fields = {
  address: isAddress,
  topics: (value) => Array.isArray(value) && value.length <= MOST_TOPICS && value.every(isHash),
  data: isBytes,
  blockNumber: optional(isBlockNumber),
  blockTimestamp: optional(isQuantity),
  logIndex: optional(isSafeNumber),
  transactionIndex: optional(isSafeNumber),
};

/** Checks a receipt that was asked for by its transaction's hash. @returns the wrong part; undefined if none is */
export function wrongInReceipt(answer: unknown, hash: unknown): string | undefined {
  if (!isObject(answer)) return 'receipt';
  return wrongIn(answer) ?? (answer.transactionHash === hash ? undefined : 'transactionHash, which was not asked for');
}

/** Checks the receipts of a block: each is of that block, and of another transaction. @returns the wrong part; undefined if none is */
export function wrongInReceipts(answer: unknown, height: unknown): string | undefined {
  if (!Array.isArray(answer)) return 'receipts';
  const hashes = new Set<unknown>();
  for (const [index, receipt] of answer.entries()) {
    const wrong = isObject(receipt) ? (wrongIn(receipt) ?? wrongPlace(receipt, answer[0], height)) : 'object';
    if (wrong) return `receipts[${index}].${wrong}`;
    hashes.add((receipt as Record<string, unknown>).transactionHash);
  }
  return hashes.size === answer.length ? undefined : 'receipts, of which two are of one transaction';
}

function wrongPlace(receipt: Record<string, unknown>, first: Record<string, unknown>, height: unknown) {
  if (!isSame(receipt.blockNumber, height)) return 'blockNumber, which was not asked for';
  return receipt.blockHash === first.blockHash ? undefined : 'blockHash of another block';
}

function wrongIn(receipt: Record<string, unknown>): string | undefined {
  lowerAddresses(receipt, 'from', 'to', 'contractAddress');
  const wrong = wrongFieldOf(receipt, FIELDS);
  if (wrong) return wrong;
  const { logs } = receipt;
  if (!Array.isArray(logs)) return 'logs';
  for (const [index, log] of logs.entries()) {
    const own = isObject(log) ? wrongInLog(log, receipt) : 'object';
    if (own) return `logs[${index}].${own}`;
  }
  return undefined;
}

function wrongInLog(log: Record<string, unknown>, receipt: Record<string, unknown>): string | undefined {
  lowerAddresses(log, 'address');
  const wrong = wrongFieldOf(log, LOG_FIELDS);
  if (wrong) return wrong;
  if (isOther(log.transactionHash, receipt.transactionHash)) return 'transactionHash of another transaction';
  return isOther(log.blockHash, receipt.blockHash) ? 'blockHash of another block' : undefined;
}
