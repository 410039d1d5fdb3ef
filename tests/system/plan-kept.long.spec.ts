import type { DemoToken } from '@maker/local-stack';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectPlanKept } from '../support/kept-plan.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';

/** The largest has 1,500 orders, of which a block takes eight. */
const JOBS_MS = 900_000;

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  ownStack = await startOwnStack(60);
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

describe('a job does what its plan said before payment, and its receipt proves it (design §§ 2.6 and 4a)', () => {
  // One after the other on a venue: what another job buys there would move the price.
  it.concurrent.each<[venue: DemoToken, amounts: readonly string[]]>([
    ['both', ['0.25', '0.5', '1']],
    ['v2Only', ['0.25', '0.5']],
    ['v3Only', ['0.25', '0.5']],
    ['router02Only', ['0.25', '0.5']],
    ['camelotOnly', ['0.25', '0.5']],
  ])(
    'on %s, of %j HYPE',
    async (venue, amounts) => {
      for (const amount of amounts)
        await expectPlanKept(product, product.stack.tokens[venue] as Address, amount, JOBS_MS);
    },
    JOBS_MS,
  );
});
