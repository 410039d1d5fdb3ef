import type { VerifiedExchange } from '../exchanges/exchanges.ts';
import { CamelotV2Adapter } from './camelot-v2-adapter.ts';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import { UniswapV2Adapter } from './uniswap-v2-adapter.ts';
import { UniswapV3Adapter } from './uniswap-v3-adapter.ts';

/** The adapter of an exchange's shape. */
export function adapterOf(exchange: VerifiedExchange): ExchangeAdapter {
  switch (exchange.kind) {
    case 'uniswap-v2':
      return new UniswapV2Adapter(exchange);
    case 'camelot-v2':
      return new CamelotV2Adapter(exchange);
    case 'uniswap-v3':
      return new UniswapV3Adapter(exchange);
  }
}
