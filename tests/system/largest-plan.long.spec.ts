import { describe, it } from 'vitest';
import { expectPlanKept, ownCalmProduct } from '../support/kept-plan.ts';

/** It has 65,000 orders, of which a block takes eight. */
const JOB_MS = 7_200_000;

/** As quick as blocks take them: one wallet alone fills a third of each. */
const WINDOW_SECONDS = 60;

const product = ownCalmProduct(WINDOW_SECONDS);

describe('the largest job of the specification does what its plan said before payment (design §§ 2.6 and 4a)', () => {
  it('of 37.3 HYPE', { timeout: JOB_MS }, async () => {
    await expectPlanKept(product(), 'both', '37.3', JOB_MS);
  });
});
