import type { ExchangeShape } from '../exchange-shape.ts';
import { pairTradeOf } from '../pair-trade.ts';
import { UniswapV2Adapter } from './uniswap-v2-adapter.ts';
import { type UniswapV2Exchange, uniswapV2Checks, uniswapV2ExchangeSchema } from './uniswap-v2-exchange.ts';
import { uniswapV2Proof } from './uniswap-v2-proof.ts';

/** Uniswap V2 and its plain forks. */
export const uniswapV2Shape = {
  kind: 'uniswap-v2',
  schema: uniswapV2ExchangeSchema,
  checks: uniswapV2Checks,
  adapterOf: (exchange) => new UniswapV2Adapter(exchange),
  proof: uniswapV2Proof,
  tradeOf: pairTradeOf,
  shownAs: 'V2',
  describe: () => 'as the registry says',
} as const satisfies ExchangeShape<'uniswap-v2', UniswapV2Exchange>;
