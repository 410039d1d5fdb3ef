/** Results of the probe; amounts in the token's smallest unit for buy and transfer, in wei for the sale. */
export interface TradeOutcome {
  readonly bought: boolean;
  readonly buyQuoted: bigint;
  readonly buyReceived: bigint;
  /** Gas of the buy alone, without a transaction's base cost. */
  readonly buyGas: bigint;
  readonly sold: boolean;
  readonly sellQuoted: bigint;
  readonly sellReceived: bigint;
  readonly transferred: boolean;
  readonly transferSent: bigint;
  readonly transferReceived: bigint;
  /** Revert reason of the first failed step, in words if it has any. */
  readonly reason: string;
}

/** The step in which the token took a fee. */
export type TaxedStep = 'buy' | 'sale' | 'transfer';

/** Whether a token trades like a plain one, or its fault. */
export type TradeVerdict =
  | { readonly kind: 'tradable'; readonly buyGas: bigint }
  | { readonly kind: 'cannot_buy' | 'cannot_sell' | 'cannot_transfer'; readonly reason: string }
  | {
      readonly kind: 'fee_on_transfer';
      readonly step: TaxedStep;
      /** Share lost, in basis points; undefined where the step reverted because of it. */
      readonly lostBps?: bigint;
    };

/** A rebasing token may lose a unit or two to rounding: a loss under a hundredth of a percent is no fee. */
const ROUNDING_SHARE = 10_000n;
const ROUNDING_UNITS = 2n;

/**
 * Judges a probe's outcome. It checks the sale before the transfer, so that a token without exit counts as one that
 * holders cannot sell.
 * @param underpaid revert reason of this shape's pools where they receive less than the swap owes
 */
export function judgeTrade(outcome: TradeOutcome, underpaid?: string): TradeVerdict {
  const { reason } = outcome;
  if (!outcome.bought || outcome.buyQuoted === 0n) return { kind: 'cannot_buy', reason };
  const buyFee = fee('buy', outcome.buyQuoted, outcome.buyReceived);
  if (buyFee) return buyFee;
  if (!outcome.sold && underpaid !== undefined && reason === underpaid)
    return { kind: 'fee_on_transfer', step: 'sale' };
  if (!outcome.sold) return { kind: 'cannot_sell', reason };
  const sellFee = fee('sale', outcome.sellQuoted, outcome.sellReceived);
  if (sellFee) return sellFee;
  if (outcome.transferSent === 0n) return { kind: 'tradable', buyGas: outcome.buyGas };
  if (!outcome.transferred) return { kind: 'cannot_transfer', reason };
  return (
    fee('transfer', outcome.transferSent, outcome.transferReceived) ?? { kind: 'tradable', buyGas: outcome.buyGas }
  );
}

function fee(step: TaxedStep, expected: bigint, received: bigint): TradeVerdict | undefined {
  const lost = expected - received;
  if (lost <= ROUNDING_UNITS || lost * ROUNDING_SHARE <= expected) return undefined;
  return { kind: 'fee_on_transfer', step, lostBps: (lost * 10_000n + expected / 2n) / expected };
}
