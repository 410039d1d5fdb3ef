import { parseAbi } from 'viem';
import { eventReader } from '../../decode.ts';
import { CONCENTRATED_SWAP, type SwapReader } from '../concentrated-swap.ts';

/** Pools of some versions add the swap's fees to Uniswap V3's event, which changes its signature. */
const SWAP_WITH_FEES =
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 overrideFee, uint24 pluginFee)';

/** Reads the swaps of Algebra Integral, in both forms. */
export const algebraSwapsIn: SwapReader = eventReader(parseAbi([CONCENTRATED_SWAP, SWAP_WITH_FEES]));
