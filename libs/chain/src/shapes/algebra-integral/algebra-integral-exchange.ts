import { encodeFunctionData, parseAbi } from 'viem';
import { z } from 'zod';
import { WrongExchangeError } from '../../errors.ts';
import type { Query } from '../../query.ts';
import {
  addressIn,
  demandFunctions,
  type ExchangeChecks,
  exchangeContract,
  exchangeFields,
  firstDifference,
} from '../exchange-entry.ts';

/** Factory of Algebra Integral, as far as it is used: a pair of tokens has one standard pool. */
export const algebraFactoryAbi = parseAbi([
  'function poolByPair(address tokenA, address tokenB) view returns (address pool)',
]);

/** Pool of Algebra Integral. Versions differ in the later fields of globalState, so only its first word is declared. */
export const algebraPoolAbi = parseAbi(['function globalState() view returns (uint160 price)']);

const peripheryAbi = parseAbi([
  'function factory() view returns (address)',
  'function WNativeToken() view returns (address)',
]);

/** A pool's fee changes, and is no argument. `deployer` is the zero address for standard pools. */
export const algebraQuoterAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; address deployer; uint256 amountIn; uint160 limitSqrtPrice; }',
  'function quoteExactInputSingle(Parameters parameters) returns (uint256 amountOut, uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate, uint16 fee)',
]);

/** SwapRouter, whose struct holds the deadline. */
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

/** How an entry of Algebra Integral is held to the chain. */
export const algebraIntegralChecks: ExchangeChecks<AlgebraIntegralExchange> = {
  contractsOf: ({ factory, router, quoter }) => [
    { role: 'factory', address: factory, abis: [algebraFactoryAbi] },
    { role: 'router', address: router, abis: [peripheryAbi, algebraRouterAbi] },
    { role: 'quoter', address: quoter, abis: [peripheryAbi, algebraQuoterAbi] },
  ],
  judgeCode(entry, [factory, router, quoter]) {
    demandFunctions(entry, { role: 'factory', address: entry.factory }, factory, algebraFactoryAbi);
    const called = [...peripheryAbi, ...algebraRouterAbi];
    demandFunctions(entry, { role: 'router', address: entry.router }, router, called);
    const asked = [...peripheryAbi, ...algebraQuoterAbi];
    demandFunctions(entry, { role: 'quoter', address: entry.quoter }, quoter, asked);
    return entry;
  },
  answersOf,
};

function answersOf(exchange: AlgebraIntegralExchange): Query<AlgebraIntegralExchange | WrongExchangeError> {
  const { factory, router, quoter, wrappedNative } = exchange;
  const factoryData = encodeFunctionData({ abi: peripheryAbi, functionName: 'factory' });
  const wrappedData = encodeFunctionData({ abi: peripheryAbi, functionName: 'WNativeToken' });
  const args = [wrappedNative, wrappedNative] as const;
  return {
    calls: [
      { to: router, data: factoryData },
      { to: router, data: wrappedData },
      { to: quoter, data: factoryData },
      { to: quoter, data: wrappedData },
      { to: factory, data: encodeFunctionData({ abi: algebraFactoryAbi, functionName: 'poolByPair', args }) },
    ],
    decode: ([routerFactory, routerWrapped, quoterFactory, quoterWrapped, pool]) =>
      firstDifference(exchange, [
        ['router.factory()', routerFactory, factory],
        ['router.WNativeToken()', routerWrapped, wrappedNative],
        ['quoter.factory()', quoterFactory, factory],
        ['quoter.WNativeToken()', quoterWrapped, wrappedNative],
      ]) ??
      (addressIn(pool) === undefined
        ? new WrongExchangeError(exchange.id, 'factory.poolByPair() gives no address')
        : exchange),
  };
}
