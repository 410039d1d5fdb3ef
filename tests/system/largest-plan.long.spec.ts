import type { Address } from 'viem';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectPlanKept } from '../support/kept-plan.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';

/** It has 65,000 orders, of which a block takes eight. */
const JOB_MS = 7_200_000;

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  ownStack = await startOwnStack(60);
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

describe('the largest job of the specification does what its plan said before payment (design §§ 2.6 and 4a)', () => {
  it(
    'of 37.3 HYPE',
    async () => {
      await expectPlanKept(product, product.stack.tokens.both as Address, '37.3', JOB_MS);
    },
    JOB_MS,
  );
});
