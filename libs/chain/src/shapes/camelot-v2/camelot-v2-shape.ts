import type { ExchangeShape } from '../exchange-shape.ts';
import { pairTradeOf } from '../pair-trade.ts';
import { CamelotV2Adapter } from './camelot-v2-adapter.ts';
import { type CamelotV2Exchange, camelotV2Checks, camelotV2ExchangeSchema } from './camelot-v2-exchange.ts';
import { camelotV2Proof } from './camelot-v2-proof.ts';

/** Pairs of the Camelot type, such as HyperSwap V2. */
export const camelotV2Shape = {
  kind: 'camelot-v2',
  schema: camelotV2ExchangeSchema,
  checks: camelotV2Checks,
  adapterOf: (exchange) => new CamelotV2Adapter(exchange),
  proof: camelotV2Proof,
  tradeOf: pairTradeOf,
  shownAs: 'V2',
  describe: () => 'as the registry says',
} as const satisfies ExchangeShape<'camelot-v2', CamelotV2Exchange>;
