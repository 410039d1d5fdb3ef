import type { DemoToken } from '@maker/local-stack';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectPlanKept } from '../support/kept-plan.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';

/** The largest has 8,500 orders, of which a block takes eight. */
const JOBS_MS = 3_600_000;

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  ownStack = await startOwnStack(60);
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

describe('a large job does what its plan said before payment, and its receipt proves it (design §§ 2.6 and 4a)', () => {
  it.concurrent.each<[amount: string, token: DemoToken]>([
    ['2', 'v3Only'],
    ['5', 'v2Only'],
  ])(
    'of %s HYPE, on %s',
    async (amount, token) => {
      await expectPlanKept(product, product.stack.tokens[token] as Address, amount, JOBS_MS);
    },
    JOBS_MS,
  );
});
