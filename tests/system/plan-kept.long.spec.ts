import type { DemoToken } from '@maker/local-stack';
import { describe, it } from 'vitest';
import { expectPlanKept, ownCalmProduct } from '../support/kept-plan.ts';

/** Three jobs one after another, each as long as the window. */
const JOBS_MS = 900_000;

/** Five jobs of 625 orders place nine a block, two fifths of its gas; one of 1,500 places four. */
const WINDOW_SECONDS = 360;

const product = ownCalmProduct(WINDOW_SECONDS);

describe('a job provably keeps its plan (design §§ 2.6 and 4a)', () => {
  // One job at a time on a venue: another job's purchases would move the price.
  it.concurrent.each<[venue: DemoToken, amounts: readonly string[]]>([
    ['both', ['0.25', '0.5', '1']],
    ['v2Only', ['0.25', '0.5']],
    ['v3Only', ['0.25', '0.5']],
    ['router02Only', ['0.25', '0.5']],
    ['algebraOnly', ['0.25', '0.5']],
    ['camelotOnly', ['0.25', '0.5']],
  ])('on %s, of %j HYPE', { timeout: JOBS_MS }, async (venue, amounts) => {
    for (const amount of amounts) await expectPlanKept(product(), venue, amount, JOBS_MS);
  });
});
