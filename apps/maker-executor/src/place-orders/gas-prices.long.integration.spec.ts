import { estimateOrders } from '@maker/rules';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { MakerStage, RUN_MS } from '../maker-stage.fixture.ts';
import { DEPOSIT, ordersAt } from './gas-prices.fixture.ts';

let stage: MakerStage;

beforeAll(async () => {
  stage = await MakerStage.start({ blockMs: 0 });
});

afterEach(() => stage.stopMakers());

afterAll(() => stage?.stop());

// The plan's own counts at these prices are held to by libs/rules; here it is that the orders really follow them.
it.each([
  [1, 150, 250],
  [10, 150, 250],
  [30, 85, 95],
])(
  'at %d tenths of a gwei a job of 0.25 HYPE completes with %d to %d orders, to the wei (specification § 9, design § 4a)',
  async (tenths, least, most) => {
    const placed = await ordersAt(stage, tenths);
    expect(placed).toBeGreaterThanOrEqual(least);
    expect(placed).toBeLessThanOrEqual(most);
    if (tenths <= 10) expect(placed).toBeGreaterThanOrEqual(estimateOrders(DEPOSIT).lower);
  },
  RUN_MS * 2,
);
