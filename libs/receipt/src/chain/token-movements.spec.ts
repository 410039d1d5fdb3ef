import { proofOf } from '@maker/chain/venues';
import { encodeAbiParameters, encodeEventTopics, getAddress, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { STRANGER, TOKEN, transferLog, VENUE, VENUES, WALLET, WRAPPED } from '../honest-receipt.fixture.ts';
import type { LogFact } from './chain-facts.ts';
import { movementsOf, salesIn } from './token-movements.ts';

const V3 = { proof: proofOf(VENUES.find(({ kind }) => kind === 'uniswap-v3') ?? VENUE) };
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

describe('logs of a transaction', () => {
  it('show the movements of the token only', () => {
    const other = { ...transferLog(STRANGER, WALLET, 8n), address: STRANGER };
    const own = transferLog(STRANGER, WALLET, 7n);
    const moved = [{ from: STRANGER, to: WALLET, amount: 7n }];
    expect(movementsOf([other, own, soldByV3(5n, -7n)], TOKEN)).toEqual(moved);
    expect(movementsOf([own], getAddress(TOKEN))).toEqual(moved);
  });

  it.each([
    ['its first token', TOKEN, WRAPPED, -70n, 5n, 70n],
    ['its second token', WRAPPED, TOKEN, 5n, -70n, 70n],
    ['its second token, for nothing', WRAPPED, TOKEN, 0n, -70n, 70n],
  ] as const)('show what a V3 pool sold of %s', (what, low, high, amount0, amount1, sold) => {
    // Pools sort their tokens by address.
    const [first, second] = BigInt(low) < BigInt(high) ? [low, high] : [high, low];
    const [tokenIn, tokenOut] = what === 'its first token' ? [second, first] : [first, second];
    const paidWei = what === 'its first token' ? amount1 : amount0;
    const { proof } = V3;
    expect(salesIn([soldByV3(amount0, amount1)], proof, { tokenIn, tokenOut })).toEqual([
      { pool: POOL, paidWei, sold },
    ]);
  });

  it('show no sale of another shape', () => {
    expect(salesIn([soldByV3(5n, -70n)], proofOf(VENUE), { tokenIn: WRAPPED, tokenOut: TOKEN })).toEqual([]);
  });
});
