import { parseAbi } from 'viem';

/** Pair of the Camelot shape, as far as it is used. Fees are of the token that is paid in, in thousandths of a percent. */
export const camelotPairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint16 token0FeePercent, uint16 token1FeePercent)',
  'function stableSwap() view returns (bool)',
]);

/** Router of the Camelot shape, as far as it is used: the sale by trials only. Its factory is asked as Uniswap V2's is. */
export const camelotRouterAbi = parseAbi([
  'function factory() view returns (address)',
  'function WETH() view returns (address)',
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline)',
]);
