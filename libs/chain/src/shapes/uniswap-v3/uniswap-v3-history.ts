import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { callEncoder, decodeOrUndefined } from '../../decode.ts';
import type { Query } from '../../query.ts';
import { type ConcentratedKind, ConcentratedPoint, positionWeight } from '../concentrated-history.ts';
import { rangeAfterSwap } from '../concentrated-swap.ts';
import type { Pool } from '../exchange-adapter.ts';
import { type ExchangeEntry, poolIn } from '../exchange-entry.ts';
import type { PoolHistory } from '../pool-history.ts';
import { KNOWN_FEE_TIERS, type UniswapV3Exchange, V3_GAS, v3FactoryAbi } from './uniswap-v3-exchange.ts';

const poolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick)',
  'function liquidity() view returns (uint128)',
  'function tickSpacing() view returns (int24)',
  'function tickBitmap(int16 word) view returns (uint256)',
]);
const wordData = callEncoder(poolAbi, 'tickBitmap');
const READS: readonly Hex[] = ['slot0', 'liquidity', 'tickSpacing'].map((functionName) =>
  encodeFunctionData({ abi: poolAbi, functionName: functionName as 'slot0' }),
);

/** Pools of a token against wrapped HYPE by fee tier. */
export function v3Pools(
  { id, factory, wrappedNative }: ExchangeEntry,
  token: Address,
  feeTiers: readonly number[],
): Query<readonly Pool[]> {
  return {
    calls: feeTiers.map((fee) => ({
      to: factory,
      data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'getPool', args: [token, wrappedNative, fee] }),
    })),
    decode: (returned) =>
      feeTiers.flatMap((feeTier, index) => {
        const address = poolIn(returned[index]);
        return address ? [{ exchangeId: id, address, token, feeTier }] : [];
      }),
  };
}

/** Events and state show every output of these pools: a pool's fee never changes. */
export const uniswapV3History: PoolHistory<UniswapV3Exchange> = {
  orderGas: V3_GAS,
  weightOf: (event) => (rangeAfterSwap(event) ? 'state' : positionWeight(event)),
  poolsOf: (exchange, token) => v3Pools(exchange, token, KNOWN_FEE_TIERS),
  newest: (_, { address, feeTier = 0 }) => ({
    calls: READS.map((data) => ({ to: address, data })),
    decode: ([state, active, ticks]) => {
      const slot0 = decodeOrUndefined(poolAbi, 'slot0', state);
      const liquidity = decodeOrUndefined(poolAbi, 'liquidity', active);
      const bitSpacing = decodeOrUndefined(poolAbi, 'tickSpacing', ticks);
      if (!slot0 || liquidity === undefined || !bitSpacing) return undefined;
      const kind: ConcentratedKind = {
        pool: address,
        bitSpacing,
        stepsEndAtWords: true,
        wordData,
        swapIn: (event) => rangeAfterSwap(event),
        feesIn: (fees) => fees,
      };
      const [sqrtPriceX96, tick] = slot0;
      const feePpm = BigInt(feeTier);
      return ConcentratedPoint.newest(
        kind,
        { sqrtPriceX96, tick, liquidity },
        { lowestPpm: feePpm, highestPpm: feePpm },
      );
    },
  }),
};
