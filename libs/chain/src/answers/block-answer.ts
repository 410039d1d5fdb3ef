import { wrongInTransactions } from './transaction-answer.ts';
import {
  type Fields,
  isBlockNumber,
  isHash,
  isObject,
  isQuantity,
  isSafeNumber,
  isTime,
  optional,
  wrongFieldOf,
} from './wire-values.ts';

const FIELDS: Fields = {
  number: isBlockNumber,
  hash: isHash,
  parentHash: isHash,
  timestamp: isTime,
  gasLimit: isSafeNumber,
  gasUsed: isSafeNumber,
  baseFeePerGas: isQuantity,
  difficulty: optional(isQuantity),
  totalDifficulty: optional(isQuantity),
  size: optional(isQuantity),
  blobGasUsed: optional(isQuantity),
  excessBlobGas: optional(isQuantity),
};

/** Whether a request names a block by a tag, such as 'latest': there always is one. */
export function isTag(block: unknown): boolean {
  return typeof block === 'string' && !block.startsWith('0x');
}

/**
 * Checks the answer to a request for a block.
 * @param asked the requested number, tag or hash @param key the field that must have it @param full whether with transactions
 * @returns the wrong part; undefined if none is
 */
export function wrongInBlock(
  answer: unknown,
  asked: unknown,
  key: 'number' | 'hash',
  full: unknown,
): string | undefined {
  if (answer === null) return isTag(asked) ? 'block, which is missing' : undefined;
  if (!isObject(answer)) return 'block';
  const wrong = wrongFieldOf(answer, FIELDS);
  if (wrong) return wrong;
  if (!isTag(asked) && !isSame(answer[key], asked)) return `${key}, which was not asked for`;
  if (full === true) return wrongInTransactions(answer.transactions, answer);
  const { transactions } = answer;
  return Array.isArray(transactions) && transactions.every(isHash) ? undefined : 'transactions';
}

/** Whether two numbers or hashes are the same, with or without leading zeros. */
export function isSame(value: unknown, asked: unknown): boolean {
  return value === asked || (String(asked).length < 66 && Number(value) === Number(asked));
}
