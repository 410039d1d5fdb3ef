import { erc20Abi } from '@maker/chain';
import type { Inclusion, TransactionRecord } from '@maker/execution-records';
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Log,
  parseAbi,
  type TransactionReceipt,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { inclusionOf, isFinal } from './inclusion.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const POOL = '0x00000000000000000000000000000000000000bb';
const WALLET = '0x0000000000000000000000000000000000000001';
const events = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
]);

const order = {
  id: 'job/order/1',
  purpose: 'order',
  sender: WALLET,
  attempts: [{ hash: '0x1', valueWei: 5n }],
} as unknown as TransactionRecord;

const moved = (from: Address, to: Address, value: bigint) =>
  ({
    address: TOKEN,
    topics: encodeEventTopics({ abi: events, eventName: 'Transfer', args: { from, to } }),
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  }) as unknown as Log;
const arrived = (value: bigint) => moved(POOL, WALLET, value);
const left = (value: bigint) => moved(WALLET, POOL, value);

const sale = {
  address: POOL,
  topics: encodeEventTopics({ abi: events, eventName: 'Swap', args: { sender: POOL, to: WALLET } }),
  data: encodeAbiParameters(
    [5n, 0n, 0n, 70n].map(() => ({ type: 'uint256' })),
    [5n, 0n, 0n, 70n],
  ),
} as unknown as Log;

const sync = {
  address: POOL,
  topics: encodeEventTopics({ abi: events, eventName: 'Sync' }),
  data: encodeAbiParameters(
    [1005n, 1930n].map(() => ({ type: 'uint112' })),
    [1005n, 1930n],
  ),
} as unknown as Log;

function included(
  logs: readonly Log[],
  transaction: Partial<TransactionRecord> = {},
  receipt: Partial<TransactionReceipt> = {},
): Inclusion {
  const mined = {
    transactionHash: '0x1',
    status: 'success',
    gasUsed: 7n,
    effectiveGasPrice: 3n,
    blockNumber: 3n,
    blockHash: '0xb',
    logs,
    ...receipt,
  };
  return inclusionOf({ ...order, ...transaction }, mined as unknown as TransactionReceipt, TOKEN, 9000);
}

const receivedWith = (...logs: Log[]) => included(logs).receivedTokens;

describe('inclusionOf', () => {
  it('has an order’s tokens by the token’s event', () => {
    expect(receivedWith(arrived(69n), sale)).toBe(69n);
  });

  it('trusts the pool over the token’s event', () => {
    expect(receivedWith(arrived(70n), arrived(2n ** 256n - 1n), sale)).toBe(70n);
  });

  it('has cost, amount and block', () => {
    expect(included([])).toEqual({
      hash: '0x1',
      blockNumber: 3,
      blockHash: '0xb',
      blockAt: new Date(9000),
      succeeded: true,
      gasUsed: 7,
      gasWei: 21n,
      movedWei: 5n,
      receivedTokens: 0n,
      sentTokens: 0n,
    });
  });

  it('belongs to our mined attempt only', () => {
    const attempts = [
      { hash: '0x0', valueWei: 4n },
      { hash: '0x1', valueWei: 5n },
    ] as unknown as TransactionRecord['attempts'];
    expect(included([], { attempts })).toMatchObject({ hash: '0x1', movedWei: 5n });
    expect(() => included([], {}, { transactionHash: '0x2' })).toThrow(
      'Receipt 0x2 belongs to no attempt of job/order/1',
    );
  });

  it('moved nothing when reverted or void', () => {
    const attempts = [{ hash: '0x1', valueWei: 5n, isVoid: true }] as unknown as TransactionRecord['attempts'];
    expect(included([], {}, { status: 'reverted' })).toMatchObject({ succeeded: false, movedWei: 0n, gasWei: 21n });
    expect(included([], { attempts })).toMatchObject({ succeeded: false, movedWei: 0n, gasWei: 21n });
  });

  it('has the pool state for filled orders only', () => {
    const pool = [arrived(70n), sync, sale];
    expect(included(pool).trade).toMatchObject({ poolFeeWei: expect.any(BigInt) });
    const others = [included(pool, { purpose: 'return' }), included(pool, {}, { status: 'reverted' }), included([])];
    for (const other of others) expect(other).not.toHaveProperty('trade');
  });

  it('limits a purchase to the amount that the pool sold', () => {
    const boasting = [arrived(71n), sale];
    expect(included(boasting).receivedTokens).toBe(70n);
    expect(included(boasting, { purpose: 'return' }).receivedTokens).toBe(71n);
    expect(included(boasting, {}, { status: 'reverted' }).receivedTokens).toBe(71n);
  });

  it('reports a delivery up to its requested amount', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [POOL, 60n] });
    const delivery = { purpose: 'delivery', data } as const;
    expect(included([left(59n)], delivery)).toMatchObject({ sentTokens: 59n, receivedTokens: 0n });
    expect(included([left(61n)], delivery)).toMatchObject({ sentTokens: 60n, receivedTokens: 0n });
    expect(included([arrived(5n)], delivery)).toMatchObject({ sentTokens: 0n, receivedTokens: 5n });
    expect(included([left(61n)]).sentTokens).toBe(61n);
  });

  it('rejects another call as a delivery', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [POOL] });
    expect(() => included([left(59n)], { purpose: 'delivery', data })).toThrow(
      'A delivery calls balanceOf, not transfer',
    );
  });
});

it('a transaction is final at its exact depth', () => {
  const inclusion = included([]);
  expect([4, 5, 6].map((head) => isFinal(inclusion, head, 2))).toEqual([false, true, true]);
});
