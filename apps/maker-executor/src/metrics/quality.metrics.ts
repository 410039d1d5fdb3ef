import { differenceBps, type JobQuality } from '@maker/rules';
import { declareMetrics, histogram } from '@maker/service-kit';
import type { Registry } from 'prom-client';

const FIGURES = [
  'slippage',
  'impact',
  'drift',
  'pool_fee',
  'gas',
  'service_fee',
  'shortfall',
  'single_swap',
  'twap',
] as const;
type Figure = (typeof FIGURES)[number];

const BASIS_POINTS = 10_000;

/** Upper bounds of the buckets for gains; negative ones are for losses. Parts of 1. */
const SIZES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/** Execution quality over all jobs. Formulas: docs/quality.md. */
export class QualityMetrics {
  private readonly metrics;

  constructor(registry: Registry) {
    this.metrics = declareMetrics(registry, {
      maker_quality_jobs_ratio: histogram(
        'Execution quality of completed jobs, in parts of 1 (docs/quality.md): slippage of the quotes; the shortfall and its parts, ' +
          "relative to the tokens' worth at arrival; and the gain over one swap and over the pool's average price.",
        [...SIZES.toReversed().map((size) => -size), 0, ...SIZES, 1, 2, 5],
        { figure: FIGURES },
      ),
    });
  }

  /** Records the quality of a completed job that bought tokens. */
  observe(quality: JobQuality): void {
    const { shortfall, shortfallBps, worthWei } = quality;
    const ofWorth = (wei: bigint) => differenceBps(worthWei + wei, worthWei);
    const figures: Readonly<Record<Figure, bigint | undefined>> = {
      slippage: quality.slippageBps,
      impact: quality.priceImpactBps,
      drift: ofWorth(shortfall.driftWei),
      pool_fee: ofWorth(shortfall.poolFeeWei),
      gas: ofWorth(shortfall.gasWei),
      service_fee: ofWorth(shortfall.serviceFeeWei),
      shortfall: shortfallBps,
      single_swap: quality.againstSingleSwapBps,
      twap: quality.againstTwapBps,
    };
    for (const figure of FIGURES) {
      const bps = figures[figure];
      if (bps !== undefined) this.metrics.maker_quality_jobs_ratio.observe({ figure }, Number(bps) / BASIS_POINTS);
    }
  }
}
