import { PRICE_SCALE } from '@maker/rules';
import { concat, encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, toEventSelector } from 'viem';
import { describe, expect, it } from 'vitest';
import { tokensFromPool } from '../../pools/pool-trade.ts';
import { algebraIntegralShape } from './algebra-integral-shape.ts';

const { proof, tradeOf } = algebraIntegralShape;

const swapEvent = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick)',
]);
const WALLET = '0x0000000000000000000000000000000000000002';
const LIQUIDITY = 10n ** 24n;
const PAID = 10n ** 18n;

function swapOf(amount0: bigint, amount1: bigint, sqrtPrice: bigint, liquidity = LIQUIDITY) {
  return {
    address: WALLET,
    topics: encodeEventTopics({ abi: swapEvent, args: { sender: WALLET, recipient: WALLET } }) as Hex[],
    data: encodeAbiParameters(
      ['int256', 'int256', 'uint160', 'uint128', 'int24'].map((type) => ({ type })),
      [amount0, amount1, sqrtPrice, liquidity, 0],
    ),
  } as const;
}

/** A purchase at a price of 1, by the formulas of concentrated liquidity. @param feePpm millionths */
function purchase(isFirstIn: boolean, feePpm: bigint) {
  const net = PAID - (PAID * feePpm) / 1_000_000n;
  if (isFirstIn) {
    const after = (LIQUIDITY * PRICE_SCALE) / (LIQUIDITY + net);
    return swapOf(PAID, -((LIQUIDITY * (PRICE_SCALE - after)) / PRICE_SCALE), after);
  }
  const after = PRICE_SCALE + (net * PRICE_SCALE) / LIQUIDITY;
  return swapOf(-((LIQUIDITY * (after - PRICE_SCALE)) / after), PAID, after);
}

describe('algebraIntegralShape.tradeOf', () => {
  it.each([
    [true, 500n],
    [true, 3000n],
    [false, 500n],
    [false, 3000n],
  ])('derives the fee of a swap (WHYPE first: %s, %d ppm)', (isFirstIn, feePpm) => {
    const swap = purchase(isFirstIn, feePpm);
    const trade = tradeOf({ swap, logs: [swap] });
    if (!trade) throw new Error('the events show no trade');
    expect(Number(trade.poolFeeWei) / Number(PAID)).toBeCloseTo(Number(feePpm) / 1e6, 9);
    expect(Number(trade.priceBeforeX96) / Number(PRICE_SCALE)).toBeCloseTo(1, 9);
    expect(trade.priceAfterX96).toBeGreaterThan(trade.priceBeforeX96);
  });

  it('reads a swap whose event has the fees', () => {
    const swap = purchase(true, 3000n);
    const topic = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)');
    const fees = encodeAbiParameters([{ type: 'uint24' }, { type: 'uint24' }], [3000, 0]);
    const longer = { ...swap, topics: [topic, ...swap.topics.slice(1)], data: concat([swap.data, fees]) };
    expect(tradeOf({ swap: longer, logs: [longer] })).toEqual(tradeOf({ swap, logs: [swap] }));
    expect(proof.tradesIn([longer])).toEqual(proof.tradesIn([swap]));
    expect(proof.tradesIn([longer])).toMatchObject([{ pool: WALLET, amount0In: PAID }]);
    expect(tokensFromPool({ logs: [longer as never] })).toBe(tokensFromPool({ logs: [swap as never] }));
  });

  it('reads nothing from a swap without liquidity or tokens', () => {
    const empty = swapOf(5n, -5n, PRICE_SCALE, 0n);
    const nothing = swapOf(5n, 0n, PRICE_SCALE);
    expect([empty, nothing].map((swap) => tradeOf({ swap, logs: [swap] }))).toEqual([undefined, undefined]);
  });
});
