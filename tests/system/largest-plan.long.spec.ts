import { describe, it } from 'vitest';
import { expectPlanKept, ownCalmProduct } from '../support/kept-plan.ts';

/** It has 65,000 orders, eight per block. */
const JOB_MS = 7_200_000;

/** As fast as blocks allow: one wallet fills a third of each. */
const WINDOW_SECONDS = 60;

const product = ownCalmProduct(WINDOW_SECONDS);

describe('the largest job keeps its plan (design §§ 2.6 and 4a)', () => {
  it('of 37.3 HYPE', { timeout: JOB_MS }, async () => {
    await expectPlanKept(product(), 'both', '37.3', JOB_MS);
  });
});
