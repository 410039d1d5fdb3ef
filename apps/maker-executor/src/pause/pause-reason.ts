import { exceedsGasGuardrail, exceedsPriceBand, type PauseReason } from '@maker/rules';

/** HyperEVM asks no tip; what our orders add only bounds their cost. Source: hyperevm § 1. */
const PRIORITY_FEE_WEI = 0n;

const WEI_OF_REFERENCE = 10n ** 18n;

/** What the best pool offers now. */
export interface Offer {
  readonly amountInWei: bigint;
  readonly tokensOut: bigint;
}

/** Token units that 1 HYPE buys at an offer's price: what the price band compares. */
export function priceTokens(offer: Offer): bigint {
  return (offer.tokensOut * WEI_OF_REFERENCE) / offer.amountInWei;
}

/** Why no transaction of any job may be sent at this base fee, wei per gas. Source: specification § 9. */
export function chainPause(baseFeeWei: bigint): PauseReason | undefined {
  return exceedsGasGuardrail(baseFeeWei, PRIORITY_FEE_WEI) ? 'gas_guardrail' : undefined;
}

/**
 * Why a job may not buy at an offer. Source: design §§ 2.4 and 4.
 * @param offer undefined where no pool is deep enough and can fill the order
 * @param startPriceTokens token units per HYPE when trading began; null before the first order
 * @param bandBps allowed rise of the price in basis points
 */
export function marketPause(
  offer: Offer | undefined,
  startPriceTokens: bigint | null,
  bandBps: bigint,
): PauseReason | undefined {
  if (!offer) return 'thin_liquidity';
  const left = startPriceTokens !== null && exceedsPriceBand(startPriceTokens, priceTokens(offer), bandBps);
  return left ? 'price_band' : undefined;
}
