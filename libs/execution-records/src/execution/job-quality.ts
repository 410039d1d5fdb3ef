import {
  againstSingleSwap,
  againstTwap,
  type JobQuality,
  measureQuality,
  type PoolCurve,
  readCurve,
  timeWeightedPrice,
  tokensOfSingleSwap,
} from '@maker/rules';
import { gasPaid } from '../ledger/ledger-entry.ts';
import type { Execution, StartPool } from './execution.ts';

/** @returns undefined before the first purchase, without an arrival price, and if an order brought no tokens */
export function qualityOf({ purchases, arrivalPriceX96, startPools, totals }: Execution): JobQuality | undefined {
  if (arrivalPriceX96 === null || purchases.tradedWei !== totals.orderWei) return undefined;
  const serviceFeeWei = totals.feeWei;
  const quality = measureQuality({ arrivalPriceX96, serviceFeeWei, gasWei: gasPaid(totals), purchases });
  if (!quality) return undefined;
  const twapX96 = timeWeightedPrice(purchases);
  const single = tokensOfSingleSwap((startPools ?? []).flatMap(toCurve), purchases.tradedWei);
  return {
    ...quality,
    ...(twapX96 && { twapX96, againstTwapBps: againstTwap(quality.averagePriceX96, twapX96) }),
    ...(single && { againstSingleSwapBps: againstSingleSwap(purchases.boughtTokens, single) }),
  };
}

/** The comparison with one swap leaves out gas. */
function toCurve({ exchange, samples }: StartPool): readonly PoolCurve[] {
  const curve = readCurve({
    exchange,
    orderGas: 0n,
    samples: samples.map(({ inWei, outTokens }) => ({ inWei, tokens: outTokens })),
  });
  return curve ? [curve] : [];
}
