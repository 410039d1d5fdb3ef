import type { DemoToken } from '@maker/local-stack';
import { describe, it } from 'vitest';
import { expectPlanKept, ownCalmProduct } from '../support/kept-plan.ts';

/** The largest has 8,500 orders. */
const JOBS_MS = 3_600_000;

/** The two place seven orders a block, a third of its gas. */
const WINDOW_SECONDS = 1800;

const product = ownCalmProduct(WINDOW_SECONDS);

describe('a large job provably keeps its plan (design §§ 2.6 and 4a)', () => {
  it.concurrent.each<[amount: string, token: DemoToken]>([
    ['2', 'v3Only'],
    ['5', 'v2Only'],
  ])('of %s HYPE, on %s', { timeout: JOBS_MS }, async (amount, token) => {
    await expectPlanKept(product(), token, amount, JOBS_MS);
  });
});
