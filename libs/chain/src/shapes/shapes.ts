import { z } from 'zod';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import type { ExchangeChecks } from './exchange-entry.ts';
import type { ExchangeShape, PoolTrade, PurchaseProof, TradeEvidence } from './exchange-shape.ts';
import { SHAPES } from './registry.ts';

type Shapes = typeof SHAPES;
type SchemasOf<List extends readonly { readonly schema: unknown }[]> = {
  readonly [Index in keyof List]: List[Index]['schema'];
};

/** One entry of the registry. */
export const exchangeSchema = z.discriminatedUnion(
  'kind',
  SHAPES.map(({ schema }) => schema) as unknown as SchemasOf<Shapes>,
);

export type Exchange = z.infer<typeof exchangeSchema>;
export type ExchangeKind = Exchange['kind'];

/** A registry entry that was checked on-chain, with what was read there. */
export type VerifiedExchange = ReturnType<Shapes[number]['checks']['judgeCode']>;

/** A shape as one uses it who does not know which it is. */
type AnyShape = ExchangeShape<ExchangeKind, Exchange, VerifiedExchange>;

const BY_KIND = new Map(SHAPES.map((shape) => [shape.kind as ExchangeKind, shape as unknown as AnyShape]));

/** @throws TypeError for a kind that the registry does not have */
function shapeOf(kind: ExchangeKind): AnyShape {
  const shape = BY_KIND.get(kind);
  if (!shape) throw new TypeError(`no shape of exchange is '${kind}'`);
  return shape;
}

/** How an exchange is held to the chain. */
export function checksOf({ kind }: Exchange): ExchangeChecks<Exchange, VerifiedExchange> {
  return shapeOf(kind).checks;
}

/** How an exchange is traded on. */
export function adapterOf(exchange: VerifiedExchange): ExchangeAdapter {
  return shapeOf(exchange.kind).adapterOf(exchange);
}

/** How a purchase on an exchange is proven. */
export function proofOf({ kind }: Pick<Exchange, 'kind'>): PurchaseProof {
  return shapeOf(kind).proof;
}

/** The proofs of all shapes, for a router of which the shape is not known. */
export const PURCHASE_PROOFS: readonly PurchaseProof[] = SHAPES.map(({ proof }) => proof);

/** What a trade did to its pool, by the first shape that reads it. */
export function tradeOf(evidence: TradeEvidence): PoolTrade | undefined {
  for (const shape of SHAPES) {
    const trade = shape.tradeOf(evidence);
    if (trade) return trade;
  }
  return undefined;
}

/** Whether an exchange has pairs, which the product shows as V2, or pools with concentrated liquidity. */
export function hasPairs(kind: ExchangeKind): boolean {
  return shapeOf(kind).shownAs === 'V2';
}

/** A verified exchange in words for operators. */
export function describeExchange(exchange: VerifiedExchange): string {
  return `${exchange.kind}, ${shapeOf(exchange.kind).describe(exchange)}`;
}
