import { parseAbi } from 'viem';

/** Uniswap V3 factory, as far as it is used. */
export const v3FactoryAbi = parseAbi([
  'function feeAmountTickSpacing(uint24 fee) view returns (int24)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
]);

/** Uniswap V3 pool. Forks differ in the later fields of slot0, so only its first word is declared. */
export const v3PoolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96)',
  'function liquidity() view returns (uint128)',
]);

/** What router and quoter of the V3 periphery say of themselves. */
export const v3PeripheryAbi = parseAbi([
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

/** SwapRouter, whose struct holds the deadline. */
export const v3RouterWithDeadlineAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
]);

/** SwapRouter02, whose deadline is an argument of its multicall. */
export const v3Router02Abi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
]);
