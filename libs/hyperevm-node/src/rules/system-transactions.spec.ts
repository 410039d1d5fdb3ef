import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  SYSTEM_ADDRESS,
  shownBlock,
  shownLogs,
  shownReceipts,
  shownTransactions,
  systemTransactionsOf,
} from './system-transactions.ts';

const SYSTEM = { hashes: ['0x51' as Hex], gasUsed: 30_000n, logs: 2 };
const transaction = (hash: Hex, from: Hex, transactionIndex: Hex) => ({
  hash,
  from,
  transactionIndex,
  to: null,
  nonce: '0x0' as Hex,
  value: '0x1' as Hex,
  gasPrice: '0x64' as Hex,
  blockNumber: '0x9' as Hex,
});
const TRANSACTIONS = [transaction('0x51', SYSTEM_ADDRESS, '0x0'), transaction('0xa1', '0xaa', '0x1')];
const log = (transactionHash: Hex, transactionIndex: Hex, logIndex: Hex) => ({
  transactionHash,
  transactionIndex,
  logIndex,
  blockNumber: '0x9' as Hex,
});
const receipt = (transactionHash: Hex, transactionIndex: Hex, cumulativeGasUsed: Hex) => ({
  transactionHash,
  transactionIndex,
  cumulativeGasUsed,
  blockNumber: '0x9' as Hex,
  status: '0x1' as Hex,
  gasUsed: '0x5208' as Hex,
  effectiveGasPrice: '0x64' as Hex,
  logs: [log(transactionHash, transactionIndex, '0x2')],
});

describe('system transactions', () => {
  it('are left out, others counted from 0', () => {
    expect(shownTransactions(TRANSACTIONS, SYSTEM, false)).toEqual([{ ...TRANSACTIONS[1], transactionIndex: '0x0' }]);
  });

  it('stand first at gas price 0', () => {
    expect(shownTransactions(TRANSACTIONS, SYSTEM, true)).toEqual([
      { ...TRANSACTIONS[0], gasPrice: '0x0' },
      { ...TRANSACTIONS[1], transactionIndex: '0x1' },
    ]);
    expect(systemTransactionsOf(TRANSACTIONS, SYSTEM).map(({ hash }) => hash)).toEqual(['0x51']);
  });

  it('use none of the gas of the block', () => {
    const wire = {
      number: '0x9',
      hash: '0xb',
      timestamp: '0x1',
      baseFeePerGas: '0x64',
      transactions: TRANSACTIONS,
      gasLimit: '0x2e0000',
      gasUsed: '0xc738',
    } as const;
    const shown = shownBlock({ ...wire, transactions: [...wire.transactions] }, SYSTEM, 3_000_000n, false);
    expect([Number(shown.gasLimit), Number(shown.gasUsed)]).toEqual([3_000_000, 21_000]);
  });

  it('have receipts with cumulative gas 0', () => {
    const receipts = [receipt('0x51', '0x0', '0x7530'), receipt('0xa1', '0x1', '0xc738')];
    const included = shownReceipts(receipts, SYSTEM, true);
    expect(included.map(({ cumulativeGasUsed }) => Number(cumulativeGasUsed))).toEqual([0, 21_000]);
    expect(included.map(({ effectiveGasPrice }) => effectiveGasPrice)).toEqual(['0x0', '0x64']);
    const [own, ...others] = shownReceipts(receipts, SYSTEM, false);
    expect(others).toEqual([]);
    expect(own).toMatchObject({ transactionHash: '0xa1', transactionIndex: '0x0', logs: [{ logIndex: '0x0' }] });
  });

  it('take their logs with them', () => {
    const logs = [log('0x51', '0x0', '0x0'), log('0xa1', '0x1', '0x2')];
    expect(shownLogs(logs, SYSTEM, false)).toEqual([log('0xa1', '0x0', '0x0')]);
    expect(shownLogs(logs, SYSTEM, true)).toEqual(logs);
  });
});
