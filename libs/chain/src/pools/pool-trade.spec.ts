import { type AbiEvent, encodeAbiParameters, encodeEventTopics, type Log, parseAbiItem } from 'viem';
import { describe, expect, it } from 'vitest';
import { poolTradeOf, tokensFromPool } from './pool-trade.ts';

const ROUTER = '0x0000000000000000000000000000000000000001';
const WALLET = '0x0000000000000000000000000000000000000002';
const OF_V2 = parseAbiItem(
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
);
const OF_V3 = parseAbiItem(
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
);
const RESERVES = parseAbiItem('event Sync(uint112 reserve0, uint112 reserve1)');

function log(event: AbiEvent, values: readonly bigint[], indexed: Record<string, string> = {}): Log {
  return {
    address: ROUTER,
    topics: encodeEventTopics({ abi: [event], args: indexed } as never),
    data: encodeAbiParameters(
      event.inputs.filter((input) => !('indexed' in input && input.indexed)),
      values.map((value, index) => (event === OF_V3 && index === 4 ? Number(value) : value)),
    ),
  } as unknown as Log;
}

const v2Sale = (...amounts: bigint[]) => log(OF_V2, amounts, { sender: ROUTER, to: WALLET });
const v3Sale = (...amounts: bigint[]) =>
  log(OF_V3, [...amounts, 2n ** 96n, 1n, 0n], { sender: ROUTER, recipient: WALLET });

describe('tokensFromPool', () => {
  it.each([
    ['V2, where WHYPE is the first token', v2Sale(5n, 0n, 0n, 70n)],
    ['V2, where it is the second', v2Sale(0n, 5n, 70n, 0n)],
    ['V2, with tokens sent to it before', v2Sale(5n, 9n, 0n, 70n)],
    ['V3, where WHYPE is the first token', v3Sale(5n, -70n)],
    ['V3, where it is the second', v3Sale(-70n, 5n)],
  ])('is the amount out of the pool of %s', (_shape, sale) => {
    expect(tokensFromPool({ logs: [sale] })).toBe(70n);
  });

  it('comes from the pool’s last event only', () => {
    expect(tokensFromPool({ logs: [v3Sale(1n, -(10n ** 60n)), v2Sale(5n, 0n, 0n, 70n)] })).toBe(70n);
    expect(tokensFromPool({ logs: [v2Sale(1n, 0n, 0n, 10n ** 60n), v3Sale(5n, -70n)] })).toBe(70n);
  });

  it('is unknown without a pool event', () => {
    expect(tokensFromPool({ logs: [] })).toBeUndefined();
  });
});

describe('poolTradeOf', () => {
  it('measures the pool’s trade, not the token’s claim', () => {
    const sync = log(RESERVES, [105n, 930n]);
    const honest = poolTradeOf({ logs: [sync, v2Sale(5n, 0n, 0n, 70n)] });
    expect(honest).toBeDefined();
    expect(poolTradeOf({ logs: [v3Sale(1n, -(10n ** 60n)), sync, v2Sale(5n, 0n, 0n, 70n)] })).toEqual(honest);
  });
});
