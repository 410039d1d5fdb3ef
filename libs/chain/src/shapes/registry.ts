import { algebraIntegralShape } from './algebra-integral/algebra-integral-shape.ts';
import { camelotV2Shape } from './camelot-v2/camelot-v2-shape.ts';
import { uniswapV2Shape } from './uniswap-v2/uniswap-v2-shape.ts';
import { uniswapV3Shape } from './uniswap-v3/uniswap-v3-shape.ts';

/** All shapes, one line each. Every trade, check and proof uses this list (docs/adr/0076). */
export const SHAPES = [uniswapV2Shape, camelotV2Shape, uniswapV3Shape, algebraIntegralShape] as const;
