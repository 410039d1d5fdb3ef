import { parseAbi } from 'viem';
import { z } from 'zod';
import { exchangeFields } from '../exchange-entry.ts';
import { pairChecks, pairRouterReadsAbi } from '../pair.ts';

/** Uniswap V2 pair, as far as it is used. */
export const v2PairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
]);

const swaps = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

/** Uniswap V2 Router02, as far as it is used: the sale by trials only. */
export const v2RouterAbi = [...pairRouterReadsAbi, ...swaps] as const;

/** An exchange of the Uniswap V2 shape: pairs, one fee, `getAmountsOut` on the router. */
export const uniswapV2ExchangeSchema = z.strictObject({ ...exchangeFields, kind: z.literal('uniswap-v2') });

export type UniswapV2Exchange = z.infer<typeof uniswapV2ExchangeSchema>;

/** How an entry of the Uniswap V2 shape is held to the chain. */
export const uniswapV2Checks = pairChecks<UniswapV2Exchange>(v2RouterAbi);
