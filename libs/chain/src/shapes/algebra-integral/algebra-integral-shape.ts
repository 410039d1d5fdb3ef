import type { ExchangeShape } from '../exchange-shape.ts';
import { AlgebraIntegralAdapter } from './algebra-integral-adapter.ts';
import {
  type AlgebraIntegralExchange,
  algebraIntegralChecks,
  algebraIntegralExchangeSchema,
} from './algebra-integral-exchange.ts';
import { algebraIntegralProof } from './algebra-integral-proof.ts';
import { algebraIntegralTradeOf } from './algebra-integral-trade.ts';

/** Algebra Integral 1.2, such as KittenSwap. */
export const algebraIntegralShape = {
  kind: 'algebra-integral',
  schema: algebraIntegralExchangeSchema,
  checks: algebraIntegralChecks,
  adapterOf: (exchange) => new AlgebraIntegralAdapter(exchange),
  proof: algebraIntegralProof,
  tradeOf: algebraIntegralTradeOf,
  shownAs: 'V3',
  describe: () => 'as the registry says',
} as const satisfies ExchangeShape<'algebra-integral', AlgebraIntegralExchange>;
