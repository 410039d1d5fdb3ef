import { decodeFunctionData, slice } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Pool } from '../exchange-adapter.ts';
import { UniswapV3Adapter } from './uniswap-v3-adapter.ts';
import { type VerifiedV3Exchange, v3Router02Abi } from './uniswap-v3-exchange.ts';

const exchange: VerifiedV3Exchange = {
  id: 'venue-v3',
  kind: 'uniswap-v3',
  factory: '0x00000000000000000000000000000000000000f1',
  router: '0x00000000000000000000000000000000000000f2',
  quoter: '0x00000000000000000000000000000000000000f3',
  wrappedNative: '0x00000000000000000000000000000000000000f4',
  routerHasDeadline: true,
  quoterVersion: 2,
  feeTiers: [3000],
};
const pool: Pool = {
  exchangeId: 'venue-v3',
  address: '0x00000000000000000000000000000000000000f5',
  token: '0x00000000000000000000000000000000000000f6',
  feeTier: 3000,
};
const order = {
  pool,
  amountInWei: 1n,
  minimumTokensOut: 2n,
  recipient: '0x00000000000000000000000000000000000000f7',
  deadlineSeconds: 1_900_000_000n,
} as const;

const quoteData = (versions: Partial<VerifiedV3Exchange>) =>
  new UniswapV3Adapter({ ...exchange, ...versions }).quoteBuy(pool, 1n).calls.map(({ data }) => data);
const swapData = (versions: Partial<VerifiedV3Exchange>) =>
  new UniswapV3Adapter({ ...exchange, ...versions }).buyTransaction(order).data;

/** Selectors of the deployed Uniswap contracts. */
describe('UniswapV3Adapter', () => {
  it('calls SwapRouter.exactInputSingle with the deadline in its struct', () => {
    const { data, to, value } = new UniswapV3Adapter(exchange).buyTransaction(order);
    expect(slice(data, 0, 4)).toBe('0x414bf389');
    expect({ to, value }).toEqual({ to: exchange.router, value: 1n });
  });

  it('wraps SwapRouter02.exactInputSingle, which has no deadline, into multicall(deadline, …)', () => {
    const { data } = new UniswapV3Adapter({ ...exchange, routerHasDeadline: false }).buyTransaction(order);
    expect(slice(data, 0, 4)).toBe('0x5ae401dc');
    const { args } = decodeFunctionData({ abi: v3Router02Abi, data });
    const [deadline, calls] = args as [bigint, `0x${string}`[]];
    expect(deadline).toBe(order.deadlineSeconds);
    expect(calls.map((call) => slice(call, 0, 4))).toEqual(['0x04e45aaf']);
  });

  it('calls each quoter version in its form', () => {
    expect(quoteData({ quoterVersion: 1 }).map((data) => slice(data, 0, 4))).toEqual(['0xf7729d43']);
    expect(quoteData({ quoterVersion: 2 }).map((data) => slice(data, 0, 4))).toEqual(['0xc6a5026a']);
  });

  it('combines any router with any quoter version', () => {
    for (const routerHasDeadline of [true, false]) {
      const beside = ([1, 2] as const).map((quoterVersion) => swapData({ routerHasDeadline, quoterVersion }));
      expect(beside[0]).toBe(beside[1]);
    }
    for (const quoterVersion of [1, 2] as const) {
      const beside = [true, false].map((routerHasDeadline) => quoteData({ routerHasDeadline, quoterVersion }));
      expect(beside[0]).toEqual(beside[1]);
    }
  });
});
