import type { RpcMethodName } from '../rpc-methods.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const ADDRESS = `0x${'ca'.repeat(20)}`;

/** A header as nodes write it. */
export function wireBlock(number: number): Record<string, unknown> {
  return {
    number: `0x${number.toString(16)}`,
    hash: HASH,
    parentHash: OTHER_HASH,
    timestamp: '0x6a0',
    gasLimit: '0x2dc6c0',
    gasUsed: '0x5208',
    baseFeePerGas: '0x5f5e100',
    transactions: [],
  };
}

/** A transaction of that block. */
export function wireTransaction(): Record<string, unknown> {
  return {
    hash: OTHER_HASH,
    from: ADDRESS,
    to: ADDRESS,
    value: '0xde0b6b3a7640000',
    input: '0x',
    nonce: '0x0',
    gas: '0x5208',
    gasPrice: '0x5f5e100',
    blockHash: HASH,
    blockNumber: '0x1',
    type: '0x0',
    r: HASH,
    s: HASH,
    v: '0x1b',
  };
}

/** The receipt of that transaction. */
export function wireReceipt(): Record<string, unknown> {
  const log = { address: ADDRESS, topics: [HASH], data: '0x', transactionHash: OTHER_HASH, blockHash: HASH };
  return {
    transactionHash: OTHER_HASH,
    blockHash: HASH,
    blockNumber: '0x1',
    status: '0x1',
    from: ADDRESS,
    to: ADDRESS,
    gasUsed: '0x5208',
    effectiveGasPrice: '0x5f5e100',
    logs: [log],
  };
}

/** A method with its parameters, and a right result. */
export interface RightAnswer {
  readonly method: RpcMethodName;
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** A right answer to each form of request that the product sends; their block is number 1. */
export const RIGHT_ANSWERS: readonly RightAnswer[] = [
  { method: 'eth_chainId', params: [], result: '0x7a69' },
  { method: 'eth_blockNumber', params: [], result: '0x1' },
  {
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
    result: { ...wireBlock(1), transactions: [OTHER_HASH] },
  },
  {
    method: 'eth_getBlockByNumber',
    params: ['0x1', true],
    result: { ...wireBlock(1), transactions: [wireTransaction()] },
  },
  { method: 'eth_getBlockByHash', params: [HASH, false], result: wireBlock(1) },
  { method: 'eth_call', params: [{ to: ADDRESS, data: '0x' }, 'latest'], result: '0x01' },
  { method: 'eth_getBalance', params: [ADDRESS, 'latest'], result: '0x1' },
  { method: 'eth_getCode', params: [ADDRESS, 'latest'], result: '0x60' },
  { method: 'eth_getTransactionCount', params: [ADDRESS, 'latest'], result: '0x1' },
  { method: 'eth_estimateGas', params: [{ to: ADDRESS }], result: '0x5208' },
  { method: 'eth_getTransactionByHash', params: [OTHER_HASH], result: wireTransaction() },
  { method: 'eth_getTransactionReceipt', params: [OTHER_HASH], result: wireReceipt() },
  { method: 'eth_getBlockReceipts', params: ['0x1'], result: [wireReceipt()] },
  {
    method: 'eth_feeHistory',
    params: ['0x1', '0x1', [50]],
    result: { oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x1'], gasUsedRatio: [0.5], reward: [['0x1']] },
  },
  {
    method: 'eth_sendRawTransaction',
    params: ['0x02'],
    result: '0xf2ee15ea639b73fa3db9b34a245bdfa015c260c598b211bf05a1ecc4b3e3b4f2',
  },
  { method: 'eth_getSystemTxsByBlockNumber', params: ['0x1'], result: [wireTransaction()] },
];

const FIELDS_READ_BY_NOBODY = ['v', 'r', 's', 'type', 'gasPrice', 'blockHash', 'blockNumber', 'to', 'transactionHash'];
/** Of these fields, lists of transactions only check the length. */
const BY_LENGTH = ['nonce', 'gas', 'input', 'v', 'r', 's', 'type'];
const WRONG = [null, [], {}, 'zz', -1, 1, true, '0x', '0xzz', '-0x1', 'NaN', [[[[]]]], `0x${'f'.repeat(500)}`];

/** A wrong result, and its description. */
export type WrongResult = readonly [what: string, result: unknown];

/** Wrong results in place of a right one: every wrong shape of the whole, and of each field in turn. */
export function* wrongResults({ method, params, result }: RightAnswer): Generator<WrongResult> {
  for (const wrong of WRONG)
    if (!isRight(method, params, wrong)) yield [`is ${JSON.stringify(wrong).slice(0, 12)}`, wrong];
  if (typeof result === 'object' && result !== null) yield* wrongParts(result as Json, '', (changed) => changed);
}

type Json = Record<string, unknown> | readonly unknown[];

function* wrongParts(object: Json, path: string, whole: (changed: Json) => unknown): Generator<WrongResult> {
  for (const [name, value] of Object.entries(object)) {
    const at = `${path}.${name}`;
    const isOptional = FIELDS_READ_BY_NOBODY.includes(name);
    const put = (part: unknown) =>
      whole(Array.isArray(object) ? object.with(Number(name), part) : { ...object, [name]: part });
    if (!isOptional && !Array.isArray(object)) {
      const { [name]: _, ...rest } = object as Record<string, unknown>;
      yield [`lacks ${at}`, whole(rest)];
    }
    for (const wrong of WRONG) {
      if (wrong === null && isOptional) continue;
      if (Array.isArray(wrong) && wrong.length === 0 && Array.isArray(value)) continue;
      if (wrong === 1 && typeof value === 'number') continue;
      if (/^0xf*$/.test(String(wrong)) && ['input', 'data'].includes(name)) continue;
      if (typeof wrong === 'string' && path !== '' && BY_LENGTH.includes(name)) continue;
      yield [`has ${at} ${JSON.stringify(wrong).slice(0, 12)}`, put(wrong)];
    }
    if (typeof value === 'object' && value !== null) yield* wrongParts(value as Json, at, put);
  }
}

/** Whether one of the shapes is a right answer of a method. */
function isRight(method: RpcMethodName, params: readonly unknown[], wrong: unknown): boolean {
  if (wrong === null) return method.startsWith('eth_getBlock') ? params[0] !== 'latest' : MAY_BE_NULL.includes(method);
  if (wrong === '0x') return method === 'eth_call' || method === 'eth_getCode';
  if (Array.isArray(wrong) && wrong.length === 0) return LISTS.includes(method);
  const isBytes = typeof wrong === 'string' && /^0xf+$/.test(wrong);
  return isBytes && (method === 'eth_call' || method === 'eth_getCode');
}

const MAY_BE_NULL = ['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getSystemTxsByBlockNumber'];
const LISTS = ['eth_getBlockReceipts', 'eth_getSystemTxsByBlockNumber'];
