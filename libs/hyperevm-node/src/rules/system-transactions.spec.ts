import type { Hex } from 'viem';
import { expect, it } from 'vitest';
import { shownLogs } from './system-transactions.ts';

const SYSTEM = { hashes: ['0x51' as Hex], gasUsed: 30_000n, logs: 2 };
const log = (transactionHash: Hex, transactionIndex: Hex, logIndex: Hex) => ({
  transactionHash,
  transactionIndex,
  logIndex,
  blockNumber: '0x9' as Hex,
});

it('omits the logs of system transactions', () => {
  const logs = [log('0x51', '0x0', '0x0'), log('0xa1', '0x1', '0x2')];
  expect(shownLogs(logs, SYSTEM, false)).toEqual([log('0xa1', '0x0', '0x0')]);
  expect(shownLogs(logs, SYSTEM, true)).toEqual(logs);
});
