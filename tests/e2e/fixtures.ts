import { test as base, expect } from '@playwright/test';
import { ProductClient, readStack } from '../support/product-client.ts';
import { Wizard } from './actions/wizard.ts';
import { PageFaults } from './page-faults.ts';

interface Fixtures {
  /** The product's API and chain, used without the page. */
  product: ProductClient;
  /** The page as a visitor uses it. */
  wizard: Wizard;
  /** Fails every test whose pages had a fault. */
  faults: PageFaults;
}

/** Playwright's `test` with the product and a check for hidden faults. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are needed from the pattern
  product: async ({}, use) => {
    await use(new ProductClient(readStack()));
  },
  wizard: async ({ page, product }, use) => {
    await use(new Wizard(page, product.stack));
  },
  faults: [
    async ({ context }, use) => {
      const faults = new PageFaults(context);
      await use(faults);
      // Calls in flight at a test's end belong to no test.
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      expect(faults.seen, 'faults in the browser').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
