import { z } from 'zod';
import { CamelotV2Adapter } from './camelot-v2/camelot-v2-adapter.ts';
import { type CamelotV2Exchange, camelotV2Checks, camelotV2ExchangeSchema } from './camelot-v2/camelot-v2-exchange.ts';
import { camelotV2Proof } from './camelot-v2/camelot-v2-proof.ts';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import type { ExchangeChecks } from './exchange-entry.ts';
import type { PurchaseProof } from './purchase-proof.ts';
import { UniswapV2Adapter } from './uniswap-v2/uniswap-v2-adapter.ts';
import { type UniswapV2Exchange, uniswapV2Checks, uniswapV2ExchangeSchema } from './uniswap-v2/uniswap-v2-exchange.ts';
import { uniswapV2Proof } from './uniswap-v2/uniswap-v2-proof.ts';
import { UniswapV3Adapter } from './uniswap-v3/uniswap-v3-adapter.ts';
import { uniswapV3Checks, uniswapV3ExchangeSchema, type VerifiedV3Exchange } from './uniswap-v3/uniswap-v3-exchange.ts';
import { uniswapV3Proof } from './uniswap-v3/uniswap-v3-proof.ts';

/** One entry of the registry. */
export const exchangeSchema = z.discriminatedUnion('kind', [
  uniswapV2ExchangeSchema,
  camelotV2ExchangeSchema,
  uniswapV3ExchangeSchema,
]);

/** The shapes that there are: how an entry is checked, traded on and proven to a stranger, and what visitors see its pools as. */
const SHAPES = {
  'uniswap-v2': {
    checks: uniswapV2Checks,
    adapterOf: (exchange: UniswapV2Exchange) => new UniswapV2Adapter(exchange),
    proof: uniswapV2Proof,
    shownAs: 'V2',
  },
  'camelot-v2': {
    checks: camelotV2Checks,
    adapterOf: (exchange: CamelotV2Exchange) => new CamelotV2Adapter(exchange),
    proof: camelotV2Proof,
    shownAs: 'V2',
  },
  'uniswap-v3': {
    checks: uniswapV3Checks,
    adapterOf: (exchange: VerifiedV3Exchange) => new UniswapV3Adapter(exchange),
    proof: uniswapV3Proof,
    shownAs: 'V3',
  },
} as const;

export type Exchange = z.infer<typeof exchangeSchema>;
export type ExchangeKind = Exchange['kind'];

/** A registry entry that was checked on-chain, with what was read there. */
export type VerifiedExchange = ReturnType<(typeof SHAPES)[ExchangeKind]['checks']['judgeCode']>;

/** A shape as one uses it who does not know which it is. */
interface Shape {
  readonly checks: ExchangeChecks<Exchange, VerifiedExchange>;
  adapterOf(exchange: VerifiedExchange): ExchangeAdapter;
}

/** How an exchange is held to the chain. */
export function checksOf({ kind }: Exchange): Shape['checks'] {
  return SHAPES[kind].checks;
}

/** How an exchange is traded on. */
export function adapterOf(exchange: VerifiedExchange): ExchangeAdapter {
  const shape: Shape = SHAPES[exchange.kind];
  return shape.adapterOf(exchange);
}

/** How a purchase on an exchange is proven. */
export function proofOf({ kind }: Pick<Exchange, 'kind'>): PurchaseProof {
  return SHAPES[kind].proof;
}

/** The proofs of all shapes, for a router of which the shape is not known. */
export const PURCHASE_PROOFS: readonly PurchaseProof[] = Object.values(SHAPES).map(({ proof }) => proof);

/** Whether an exchange has pairs, which the product shows as V2, or pools by fee tier. */
export function hasPairs(kind: ExchangeKind): boolean {
  return SHAPES[kind].shownAs === 'V2';
}
