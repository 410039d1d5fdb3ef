import type { ExchangeShape } from '../exchange-shape.ts';
import { UniswapV3Adapter } from './uniswap-v3-adapter.ts';
import {
  type UniswapV3Exchange,
  uniswapV3Checks,
  uniswapV3ExchangeSchema,
  type VerifiedV3Exchange,
} from './uniswap-v3-exchange.ts';
import { uniswapV3Proof } from './uniswap-v3-proof.ts';
import { uniswapV3TradeOf } from './uniswap-v3-trade.ts';

/** Uniswap V3 and its forks, with either router and either quoter. */
export const uniswapV3Shape = {
  kind: 'uniswap-v3',
  schema: uniswapV3ExchangeSchema,
  checks: uniswapV3Checks,
  adapterOf: (exchange) => new UniswapV3Adapter(exchange),
  proof: uniswapV3Proof,
  tradeOf: uniswapV3TradeOf,
  shownAs: 'V3',
  describe({ routerHasDeadline, quoterVersion, feeTiers }) {
    const router = routerHasDeadline ? 'SwapRouter' : 'SwapRouter02';
    return `${router}, Quoter V${quoterVersion}, fees ${feeTiers.join(' ')}`;
  },
} as const satisfies ExchangeShape<'uniswap-v3', UniswapV3Exchange, VerifiedV3Exchange>;
