import { z } from 'zod';
import type { ExchangeAdapter } from './exchange-adapter.ts';
import type { ExchangeChecks } from './exchange-entry.ts';
import type { ExchangeShape, PoolTrade, PurchaseProof, TradeEvidence } from './exchange-shape.ts';
import type { PoolHistory } from './pool-history.ts';
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

/** A registry entry after its check on the chain, with the facts read there. */
export type VerifiedExchange = ReturnType<Shapes[number]['checks']['judgeCode']>;

/** A shape for callers that do not know its kind. */
type AnyShape = ExchangeShape<ExchangeKind, Exchange, VerifiedExchange>;

const BY_KIND = new Map(SHAPES.map((shape) => [shape.kind as ExchangeKind, shape as unknown as AnyShape]));

/** @throws TypeError for a kind that the registry does not have */
function shapeOf(kind: ExchangeKind): AnyShape {
  const shape = BY_KIND.get(kind);
  if (!shape) throw new TypeError(`no shape of exchange is '${kind}'`);
  return shape;
}

/** The checks of an exchange against the chain. */
export function checksOf({ kind }: Exchange): ExchangeChecks<Exchange, VerifiedExchange> {
  return shapeOf(kind).checks;
}

/** The adapter of an exchange. */
export function adapterOf(exchange: VerifiedExchange): ExchangeAdapter {
  return shapeOf(exchange.kind).adapterOf(exchange);
}

/** The proof of purchases on an exchange. */
export function proofOf({ kind }: Pick<Exchange, 'kind'>): PurchaseProof {
  return shapeOf(kind).proof;
}

/** What the pools of an exchange offered at past blocks. */
export function historyOf({ kind }: Pick<Exchange, 'kind'>): PoolHistory<Exchange> {
  return shapeOf(kind).history;
}

/** The proofs of all shapes, for a router of unknown shape. */
export const PURCHASE_PROOFS: readonly PurchaseProof[] = SHAPES.map(({ proof }) => proof);

/** Effect of a trade on its pool, by the first shape that can read it. */
export function tradeOf(evidence: TradeEvidence): PoolTrade | undefined {
  for (const shape of SHAPES) {
    const trade = shape.tradeOf(evidence);
    if (trade) return trade;
  }
  return undefined;
}

/** Whether an exchange has pairs (the product shows them as V2), or pools with concentrated liquidity. */
export function hasPairs(kind: ExchangeKind): boolean {
  return shapeOf(kind).shownAs === 'V2';
}

/** Describes a verified exchange for operators. */
export function describeExchange(exchange: VerifiedExchange): string {
  return `${exchange.kind}, ${shapeOf(exchange.kind).describe(exchange)}`;
}
