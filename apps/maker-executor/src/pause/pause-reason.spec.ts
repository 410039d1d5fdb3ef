import { GAS_GUARDRAIL_WEI } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { chainPause, marketPause, priceTokens } from './pause-reason.ts';

const offer = { amountInWei: 400_000_000_000_000n, tokensOut: 4000n };
const startPriceTokens = priceTokens(offer);

describe('pauses', () => {
  it('waits above 10 gwei and goes on at or below it (specification § 9)', () => {
    expect(chainPause(GAS_GUARDRAIL_WEI)).toBeUndefined();
    expect(chainPause(GAS_GUARDRAIL_WEI + 1n)).toBe('gas_guardrail');
  });

  it('waits while no pool is deep enough (design § 4)', () => {
    expect(marketPause(undefined, startPriceTokens, 1000n)).toBe('thin_liquidity');
  });

  it('waits while the price stands above the band, whatever the order size (design § 2.4)', () => {
    expect(
      marketPause({ amountInWei: 200_000_000_000_000n, tokensOut: 2000n }, startPriceTokens, 1000n),
    ).toBeUndefined();
    expect(marketPause({ ...offer, tokensOut: 3637n }, startPriceTokens, 1000n)).toBeUndefined();
    expect(marketPause({ ...offer, tokensOut: 3600n }, startPriceTokens, 1000n)).toBe('price_band');
  });

  it('has no band before the first order', () => {
    expect(marketPause({ ...offer, tokensOut: 1n }, null, 1000n)).toBeUndefined();
  });
});
