import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { z } from 'zod';
import type { Call } from '../../query.ts';
import {
  answersWithPool,
  checksOfOneVersion,
  type ExchangeEntry,
  exchangeContract,
  exchangeFields,
  statedAddresses,
} from '../exchange-entry.ts';
import type { OrderGas } from '../pool-history.ts';

/** Measured with the plugin of the local chain. Plugins with a history on mainnet use more. */
export const ALGEBRA_GAS: OrderGas = { first: 171_000n, later: 120_000n };

/** The used part of Algebra Integral's factory: a pair of tokens has one standard pool. */
const algebraFactoryAbi = parseAbi(['function poolByPair(address tokenA, address tokenB) view returns (address pool)']);

const peripheryAbi = parseAbi([
  'function factory() view returns (address)',
  'function WNativeToken() view returns (address)',
]);

/** A pool's fee changes, so it is no argument. `deployer` is the zero address for standard pools. */
export const algebraQuoterAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; address deployer; uint256 amountIn; uint160 limitSqrtPrice; }',
  'function quoteExactInputSingle(Parameters parameters) returns (uint256 amountOut, uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate, uint16 fee)',
]);

/** SwapRouter, with the deadline in the struct. */
export const algebraRouterAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; address deployer; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 limitSqrtPrice; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
]);

/** An exchange of Algebra Integral 1.2: one standard pool for a pair of tokens, with a fee that its plugin changes. */
export const algebraIntegralExchangeSchema = z.strictObject({
  ...exchangeFields,
  kind: z.literal('algebra-integral'),
  quoter: exchangeContract,
});

export type AlgebraIntegralExchange = z.infer<typeof algebraIntegralExchangeSchema>;

/** Asks the factory for the standard pool of two tokens. */
export function algebraPoolQuery({ factory }: ExchangeEntry, token: Address, other: Address): Call {
  return { to: factory, data: encodeFunctionData({ abi: algebraFactoryAbi, args: [token, other] }) };
}

/** Checks of an Algebra Integral entry against the chain. */
export const algebraIntegralChecks = checksOfOneVersion<AlgebraIntegralExchange>(
  ({ factory, router, quoter }) => [
    { role: 'factory', address: factory, abis: [algebraFactoryAbi] },
    { role: 'router', address: router, abis: [peripheryAbi, algebraRouterAbi] },
    { role: 'quoter', address: quoter, abis: [peripheryAbi, algebraQuoterAbi] },
  ],
  (exchange) => {
    const { router, quoter } = exchange;
    const stated = statedAddresses(exchange, { router, quoter }, 'WNativeToken');
    return answersWithPool(exchange, stated, algebraPoolQuery, 'poolByPair');
  },
);
