import { ascending } from '@maker/rules';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { callEncoder, decodeOrUndefined, type EventLog, eventReader } from '../../decode.ts';
import { type ConcentratedKind, ConcentratedPoint, type FeeRange, positionWeight } from '../concentrated-history.ts';
import { rangeAfterSwap } from '../concentrated-swap.ts';
import { onePool } from '../exchange-adapter.ts';
import type { PoolHistory } from '../pool-history.ts';
import { ALGEBRA_GAS, type AlgebraIntegralExchange, algebraPoolQuery } from './algebra-integral-exchange.ts';
import { algebraSwapsIn } from './algebra-swaps.ts';

const poolAbi = parseAbi([
  'function globalState() view returns (uint160 price, int24 tick, uint16 lastFee)',
  'function liquidity() view returns (uint128)',
  'function tickTable(int16 word) view returns (uint256)',
]);
const wordData = callEncoder(poolAbi, 'tickTable');
const READS: readonly Hex[] = ['globalState', 'liquidity'].map((functionName) =>
  encodeFunctionData({ abi: poolAbi, functionName: functionName as 'liquidity' }),
);

const feesOf = eventReader(
  parseAbi(['event Fee(uint16 fee)', 'event SwapFee(address indexed sender, uint24 overrideFee, uint24 pluginFee)']),
);

/**
 * A plugin may set another fee for each swap. The fee of a swap that did not happen is in no event, so quotes have the bounds of the
 * fees that the searched blocks show.
 */
export const algebraIntegralHistory: PoolHistory<AlgebraIntegralExchange> = {
  orderGas: ALGEBRA_GAS,
  weightOf(event) {
    if (rangeAfterSwap(event, algebraSwapsIn)) return 'state';
    return feesOf([event]).length > 0 ? 'fee' : positionWeight(event);
  },
  poolsOf: (exchange, token) => onePool(exchange, token, algebraPoolQuery(exchange, token, exchange.wrappedNative)),
  newest: (_, { address }) => ({
    calls: READS.map((data) => ({ to: address, data })),
    decode: ([state, active]) => {
      const globalState = decodeOrUndefined(poolAbi, 'globalState', state);
      const liquidity = decodeOrUndefined(poolAbi, 'liquidity', active);
      if (!globalState || liquidity === undefined) return undefined;
      const kind: ConcentratedKind = {
        pool: address,
        bitSpacing: 1,
        stepsEndAtWords: false,
        wordData,
        swapIn: (event) => rangeAfterSwap(event, algebraSwapsIn),
        feesIn,
      };
      const [sqrtPriceX96, tick, lastFee] = globalState;
      const feePpm = BigInt(lastFee);
      return ConcentratedPoint.newest(
        kind,
        { sqrtPriceX96, tick, liquidity },
        { lowestPpm: feePpm, highestPpm: feePpm },
      );
    },
  }),
};

/** A swap without a fee of its own pays the pool's fee. */
function feesIn(fees: FeeRange, events: readonly EventLog[]): FeeRange {
  const poolFees = [fees.lowestPpm, fees.highestPpm];
  const swapFees: { readonly overrideFee: number; readonly pluginFee: number }[] = [];
  for (const { eventName, args } of feesOf(events)) {
    if (eventName === 'Fee') poolFees.push(BigInt(args.fee));
    else swapFees.push(args);
  }
  const swaps = algebraSwapsIn(events);
  for (const { args } of swaps) if (args.pluginFee !== undefined) swapFees.push(args as never);
  const own = swapFees.flatMap(({ overrideFee, pluginFee }) =>
    overrideFee > 0 ? [BigInt(overrideFee + pluginFee)] : poolFees.map((fee) => fee + BigInt(pluginFee)),
  );
  const all = (swapFees.length < swaps.length || own.length === 0 ? [...poolFees, ...own] : own).sort(ascending);
  return { lowestPpm: all[0] ?? fees.lowestPpm, highestPpm: all.at(-1) ?? fees.highestPpm };
}
