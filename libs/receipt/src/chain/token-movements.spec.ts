import { encodeAbiParameters, encodeEventTopics, getAddress, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { STRANGER, TOKEN, transferLog, WALLET } from '../honest-receipt.fixture.ts';
import type { LogFact } from './chain-facts.ts';
import { movementsOf, salesIn } from './token-movements.ts';

const POOL = `0x${'e2'.repeat(20)}` as const;
const abi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
]);

function soldByV3(amount0: bigint, amount1: bigint): LogFact {
  return {
    address: POOL,
    topics: encodeEventTopics({ abi, args: { sender: STRANGER, recipient: WALLET } }) as Hex[],
    data: encodeAbiParameters(
      ['int256', 'int256', 'uint160', 'uint128', 'int24'].map((type) => ({ type })),
      [amount0, amount1, 1n, 1n, 0],
    ),
  };
}

describe('what the logs of a transaction tell', () => {
  it('is how its token moved, and nothing of another token', () => {
    const other = { ...transferLog(STRANGER, WALLET, 8n), address: STRANGER };
    const own = transferLog(STRANGER, WALLET, 7n);
    const moved = [{ from: STRANGER, to: WALLET, amount: 7n }];
    expect(movementsOf([other, own, soldByV3(5n, -7n)], TOKEN)).toEqual(moved);
    expect(movementsOf([own], getAddress(TOKEN))).toEqual(moved);
  });

  it.each([
    ['its first token', -70n, 5n],
    ['its second token', 5n, -70n],
    ['its second token, for nothing', 0n, -70n],
  ])('is what a V3 pool gave of %s', (_, amount0, amount1) => {
    expect(salesIn([soldByV3(amount0, amount1)])).toEqual([{ pool: POOL, sold: 70n }]);
  });
});
