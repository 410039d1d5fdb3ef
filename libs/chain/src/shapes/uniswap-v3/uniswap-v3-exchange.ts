import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { z } from 'zod';
import { decodeOrUndefined } from '../../decode.ts';
import { WrongExchangeError } from '../../errors.ts';
import type { Query } from '../../query.ts';
import {
  demandFunctions,
  type ExchangeChecks,
  exchangeContract,
  exchangeFields,
  missingFunctions,
  statedAddresses,
} from '../exchange-entry.ts';
import type { OrderGas } from '../pool-history.ts';

/** Of a plain token, measured; later orders: the mean of a job's thousands. */
export const V3_GAS: OrderGas = { first: 161_000n, later: 104_000n };

/** The used part of a Uniswap V3 factory. */
export const v3FactoryAbi = parseAbi([
  'function feeAmountTickSpacing(uint24 fee) view returns (int24)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
]);

/** The functions in which router and quoter of the V3 periphery name their factory and wrapped coin. */
const v3PeripheryAbi = parseAbi([
  'function factory() view returns (address)',
  'function WETH9() view returns (address)',
]);

/** First version of the quoter. */
export const v3QuoterV1Abi = parseAbi([
  'function quoteExactInputSingle(address tokenIn, address tokenOut, uint24 fee, uint256 amountIn, uint160 sqrtPriceLimitX96) returns (uint256 amountOut)',
]);

/** Second version of the quoter. */
export const v3QuoterV2Abi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Parameters parameters) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
]);

/** SwapRouter, with the deadline in the struct. */
export const v3RouterWithDeadlineAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
]);

/** SwapRouter02, with the deadline as an argument of its multicall. */
export const v3Router02Abi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
]);

/** An exchange of the Uniswap V3 shape: pools by fee tier, a quoter contract. */
export const uniswapV3ExchangeSchema = z.strictObject({
  ...exchangeFields,
  kind: z.literal('uniswap-v3'),
  quoter: exchangeContract,
  /** True: the deadline is in the swap's struct (SwapRouter). False: SwapRouter02. Absent: read from its code at start. */
  routerHasDeadline: z.boolean().optional(),
  /** Absent: read from its code at start. */
  quoterVersion: z.union([z.literal(1), z.literal(2)]).optional(),
});

export type UniswapV3Exchange = z.infer<typeof uniswapV3ExchangeSchema>;

/** A V3 entry with the facts from its code and factory. */
export interface VerifiedV3Exchange extends UniswapV3Exchange {
  readonly routerHasDeadline: boolean;
  readonly quoterVersion: 1 | 2;
  /** Fee tiers enabled on the factory, in hundredths of a basis point (3000 is 0.3 %). */
  readonly feeTiers: readonly number[];
}

/** Every fee tier that sources name for a Uniswap V3 fork on HyperEVM; each factory answers which of them it has. */
export const KNOWN_FEE_TIERS = [100, 200, 250, 500, 1000, 2000, 2500, 3000, 10_000, 20_000];

/** Checks of a Uniswap V3 entry against the chain: routers and quoters have two versions each. */
export const uniswapV3Checks: ExchangeChecks<UniswapV3Exchange, VerifiedV3Exchange> = {
  contractsOf: ({ factory, router, quoter }) => [
    { role: 'factory', address: factory, abis: [v3FactoryAbi] },
    { role: 'router', address: router, abis: [v3PeripheryAbi, v3RouterWithDeadlineAbi, v3Router02Abi] },
    { role: 'quoter', address: quoter, abis: [v3QuoterV1Abi, v3QuoterV2Abi] },
  ],
  judgeCode(entry, [factory, router = new Set(), quoter = new Set()]) {
    demandFunctions(entry, { role: 'factory', address: entry.factory }, factory, v3FactoryAbi);
    const routerHasDeadline = versionOfRouter(entry, router);
    const quoterVersion = versionOfQuoter(entry, quoter);
    return { ...entry, routerHasDeadline, quoterVersion, feeTiers: [] };
  },
  answersOf,
};

function answersOf(exchange: VerifiedV3Exchange): Query<VerifiedV3Exchange | WrongExchangeError> {
  const { factory, router, quoter } = exchange;
  const stated = statedAddresses(exchange, { router, quoter }, 'WETH9');
  return {
    calls: [
      ...stated.calls,
      ...KNOWN_FEE_TIERS.map((fee) => ({
        to: factory,
        data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'feeAmountTickSpacing', args: [fee] }),
      })),
    ],
    decode: (returned) => {
      const difference = stated.decode(returned);
      if (difference) return difference;
      const spacings = returned.slice(stated.calls.length);
      const feeTiers = KNOWN_FEE_TIERS.filter((_, index) => {
        const spacing = decodeOrUndefined(v3FactoryAbi, 'feeAmountTickSpacing', spacings[index]);
        return spacing !== undefined && spacing > 0;
      });
      if (feeTiers.length > 0) return { ...exchange, feeTiers };
      return new WrongExchangeError(exchange.id, 'its factory has none of the known fee tiers');
    },
  };
}

function versionOfRouter(exchange: UniswapV3Exchange, functions: ReadonlySet<Hex>): boolean {
  const router = { role: 'router', address: exchange.router };
  demandFunctions(exchange, router, functions, v3PeripheryAbi);
  const found = missingFunctions(functions, v3RouterWithDeadlineAbi).length === 0;
  // SwapRouter02: the deadline is an argument of `multicall`, which contains the swap.
  if (!found) demandFunctions(exchange, router, functions, v3Router02Abi);
  const { routerHasDeadline: said = found } = exchange;
  if (said === found) return found;
  const has = found ? 'has a deadline' : 'has no deadline';
  throw new WrongExchangeError(
    exchange.id,
    `its router ${has} in exactInputSingle, unlike the entry's routerHasDeadline`,
  );
}

function versionOfQuoter(exchange: UniswapV3Exchange, functions: ReadonlySet<Hex>): 1 | 2 {
  const isSecond = missingFunctions(functions, v3QuoterV2Abi).length === 0;
  const quoter = { role: 'quoter', address: exchange.quoter };
  if (!isSecond) demandFunctions(exchange, quoter, functions, v3QuoterV1Abi);
  const found = isSecond ? 2 : 1;
  const { quoterVersion: said = found } = exchange;
  if (said === found) return found;
  throw new WrongExchangeError(exchange.id, `its quoter is of version ${found}, the entry says ${said}`);
}
