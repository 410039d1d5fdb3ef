import { addPurchase, NO_PURCHASES, type OrderExecution, PRICE_SCALE } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { Execution } from './execution.ts';
import { qualityOf } from './job-quality.ts';
import { startedExecution } from './started-execution.fixture.ts';

const order: OrderExecution = {
  tradeWei: 1_000_000n,
  tokens: 9_000n,
  quotedTokens: 9_000n,
  poolFeeWei: 3_000n,
  priceBeforeX96: 100n * PRICE_SCALE,
  priceAfterX96: 110n * PRICE_SCALE,
};
const purchases = addPurchase(addPurchase(NO_PURCHASES, order, 0), order, 1000);
const started = startedExecution();
const execution: Execution = {
  ...started,
  purchases,
  arrivalPriceX96: 100n * PRICE_SCALE,
  totals: { ...started.totals, orderWei: 2_000_000n, feeWei: 300_000n, gasWei: 200n, order_gasWei: 1_000n },
  startPools: [
    { exchange: 'shallow', samples: [{ inWei: 4_000_000n, outTokens: 20_000n }] },
    { exchange: 'deep', samples: [{ inWei: 4_000_000n, outTokens: 40_000n }] },
    { exchange: 'empty', samples: [] },
  ],
};

describe('the quality of a job (docs/quality.md)', () => {
  it('compares with the average price and one swap', () => {
    const quality = qualityOf(execution);
    expect(quality?.shortfall).toMatchObject({ serviceFeeWei: 300_000n, gasWei: 1_200n });
    // The price falls from 110 to 100 between the two orders: 105 on average. The job paid 111.1.
    expect(quality?.twapX96).toBe(105n * PRICE_SCALE);
    expect(quality?.againstTwapBps).toBe(-582n);
    // 20,000 tokens in one swap of the deeper pool, 18,000 in two orders.
    expect(quality?.againstSingleSwapBps).toBe(-1000n);
  });

  it('leaves out comparisons without data', () => {
    const once = { ...execution, purchases: addPurchase(NO_PURCHASES, order, 0) };
    const alone = qualityOf({ ...once, totals: { ...execution.totals, orderWei: 1_000_000n }, startPools: null });
    expect(alone).toBeDefined();
    expect(alone).not.toHaveProperty('twapX96');
    expect(alone).not.toHaveProperty('againstTwapBps');
    expect(alone).not.toHaveProperty('againstSingleSwapBps');
  });

  it('is unknown without purchases or a price', () => {
    expect(qualityOf(started)).toBeUndefined();
    expect(qualityOf({ ...started, arrivalPriceX96: PRICE_SCALE })).toBeUndefined();
    expect(qualityOf({ ...execution, arrivalPriceX96: null })).toBeUndefined();
    expect(qualityOf({ ...execution, totals: { ...execution.totals, orderWei: 2_000_001n } })).toBeUndefined();
  });
});
