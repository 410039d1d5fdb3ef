import { parseAbi } from 'viem';
import { z } from 'zod';
import { exchangeFields } from '../exchange-entry.ts';
import { pairChecks, pairRouterReadsAbi } from '../pair.ts';

/** Pair of the Camelot shape, as far as it is used. Fees are of the token that is paid in, in thousandths of a percent. */
export const camelotPairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint16 token0FeePercent, uint16 token1FeePercent)',
  'function stableSwap() view returns (bool)',
]);

const swaps = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline)',
]);

/** Router of the Camelot shape, as far as it is used: the sale by trials only. */
export const camelotRouterAbi = [...pairRouterReadsAbi, ...swaps] as const;

/**
 * An exchange of the Camelot shape: pairs with a fee for each direction that their owner may change, some with a stable curve;
 * the router's reads are those of Uniswap V2, its swaps are not.
 */
export const camelotV2ExchangeSchema = z.strictObject({ ...exchangeFields, kind: z.literal('camelot-v2') });

export type CamelotV2Exchange = z.infer<typeof camelotV2ExchangeSchema>;

/** How an entry of the Camelot shape is held to the chain. */
export const camelotV2Checks = pairChecks<CamelotV2Exchange>(camelotRouterAbi);
