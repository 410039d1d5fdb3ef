import { STANDARD_CONTAINER } from '@maker/web-kit';
import { expect, test } from './fixtures.ts';
import { serveStockHost } from './stock-host/serve-stock-host.ts';

const NO_TOKEN = '0x0000000000000000000000000000000000000001';

test('a stock host shows our remotes', async ({ page, product, wizard }) => {
  const host = await serveStockHost(product.stack.shellUrl);
  try {
    await page.goto(host.url);
    await expect(wizard.title('terms')).toBeVisible();
    // A second React in the page would have no state for the step.
    await wizard.tokenInput.fill(NO_TOKEN);
    await wizard.validate.click();
    await expect(wizard.redBox).toHaveText('The host says no.');
  } finally {
    await host.stop();
  }
});

test('the shell shows a stock remote', async ({ page, wizard }) => {
  const stock: string[] = [];
  await page.route('**/remotes/terms/**', async (route) => {
    const url = route.request().url().replace('/remotes/terms/', `/remotes/terms/${STANDARD_CONTAINER}/`);
    stock.push(url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await wizard.open('/terms');
  await expect(wizard.title('terms')).toBeVisible();
  expect(stock.length).toBeGreaterThan(1);
});
