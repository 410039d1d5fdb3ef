import { encodeAbiParameters, encodeEventTopics, type Log, parseAbi, type TransactionReceipt } from 'viem';
import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../transaction/transaction.ts';
import { inclusionOf } from './inclusion.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const POOL = '0x00000000000000000000000000000000000000bb';
const WALLET = '0x0000000000000000000000000000000000000001';
const events = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
]);

const order = {
  id: 'job/order/1',
  purpose: 'order',
  sender: WALLET,
  attempts: [{ hash: '0x1', valueWei: 5n }],
} as unknown as TransactionRecord;

const arrived = (value: bigint) =>
  ({
    address: TOKEN,
    topics: encodeEventTopics({ abi: events, eventName: 'Transfer', args: { from: POOL, to: WALLET } }),
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  }) as unknown as Log;

const sale = {
  address: POOL,
  topics: encodeEventTopics({ abi: events, eventName: 'Swap', args: { sender: POOL, to: WALLET } }),
  data: encodeAbiParameters(
    [5n, 0n, 0n, 70n].map(() => ({ type: 'uint256' })),
    [5n, 0n, 0n, 70n],
  ),
} as unknown as Log;

function receivedWith(...logs: Log[]): bigint {
  const receipt = {
    transactionHash: '0x1',
    status: 'success',
    gasUsed: 1n,
    effectiveGasPrice: 1n,
    blockNumber: 3n,
    logs,
  };
  return inclusionOf(order, receipt as unknown as TransactionReceipt, TOKEN, 0).receivedTokens;
}

describe('inclusionOf', () => {
  it('says of an order what the token says that arrived', () => {
    expect(receivedWith(arrived(69n), sale)).toBe(69n);
  });

  it('says no more than the pool gave where the token’s event boasts (threats: events that boast or lie)', () => {
    expect(receivedWith(arrived(70n), arrived(2n ** 256n - 1n), sale)).toBe(70n);
  });
});
