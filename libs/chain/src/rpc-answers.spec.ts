import { describe, expect, it } from 'vitest';
import {
  RIGHT_ANSWERS,
  wireBlock,
  wireReceipt,
  wireTransaction,
  wrongResults,
} from './answers/wire-answers.fixture.ts';
import { RPC_METHODS, rpcMethod } from './rpc-methods.ts';

describe.each(RIGHT_ANSWERS)('$method of $params', (right) => {
  const { wrongIn } = rpcMethod(right.method);

  it('accepts a right answer', () => {
    expect(wrongIn(structuredClone(right.result), right.params)).toBeUndefined();
  });

  it('refuses every wrong shape of the whole and its fields', () => {
    const wrong = [...wrongResults(right)];
    expect(wrong.length).toBeGreaterThan(5);
    const passed = wrong.filter(([, result]) => wrongIn(structuredClone(result), right.params) === undefined);
    expect(passed.map(([what]) => what)).toEqual([]);
  });
});

it('has a right answer of every method', () => {
  const answered = new Set(RIGHT_ANSWERS.map(({ method }) => method));
  expect(RPC_METHODS.map(({ method }) => method).filter((method) => !answered.has(method))).toEqual([]);
});

describe('answers to another request', () => {
  const other = `0x${'ee'.repeat(32)}`;
  const transaction = wireTransaction();
  const receipt = wireReceipt();

  it.each<[what: string, method: string, params: readonly unknown[], result: unknown]>([
    ['a block of another number', 'eth_getBlockByNumber', ['0x2', false], wireBlock(1)],
    ['a block of another hash', 'eth_getBlockByHash', [other, false], wireBlock(1)],
    [
      'a transaction of another block in a block',
      'eth_getBlockByNumber',
      ['0x1', true],
      { ...wireBlock(1), transactions: [{ ...transaction, blockHash: other }] },
    ],
    [
      'whole transactions in place of hashes',
      'eth_getBlockByNumber',
      ['0x1', false],
      { ...wireBlock(1), transactions: [transaction] },
    ],
    [
      'hashes in place of transactions',
      'eth_getBlockByNumber',
      ['0x1', true],
      { ...wireBlock(1), transactions: [other] },
    ],
    ['another transaction', 'eth_getTransactionByHash', [other], transaction],
    ['another receipt', 'eth_getTransactionReceipt', [other], receipt],
    ['receipts of another block', 'eth_getBlockReceipts', ['0x2'], [receipt]],
    ['one receipt twice', 'eth_getBlockReceipts', ['0x1'], [receipt, receipt]],
    [
      'receipts of two blocks of one number',
      'eth_getBlockReceipts',
      ['0x1'],
      [receipt, { ...receipt, transactionHash: other, blockHash: other, logs: [] }],
    ],
    [
      'a log of another transaction',
      'eth_getTransactionReceipt',
      [receipt.transactionHash],
      { ...receipt, logs: [{ ...(receipt.logs as object[])[0], transactionHash: other }] },
    ],
    ['the hash of other bytes', 'eth_sendRawTransaction', ['0x02'], other],
    [
      'fees of more blocks',
      'eth_feeHistory',
      ['0x1', '0x1', []],
      { oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x1', '0x1'], gasUsedRatio: [1, 1] },
    ],
    ['no block for the newest one', 'eth_getBlockByNumber', ['latest', true], null],
  ])('are wrong: %s', (_, method, params, result) => {
    expect(rpcMethod(method).wrongIn(structuredClone(result), params)).toBeTypeOf('string');
  });
});

it('writes addresses with a checksum in lower case', () => {
  const to = '0xCA35b7d915458EF540aDe6068dFe2F44E8fa733c';
  const block = { ...wireBlock(1), transactions: [{ ...wireTransaction(), to }] };
  expect(rpcMethod('eth_getBlockByNumber').wrongIn(block, ['0x1', true])).toBeUndefined();
  expect(block.transactions[0]?.to).toBe(to.toLowerCase());
});
