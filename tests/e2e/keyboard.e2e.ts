import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const MOST_TABS = 40;

/** Presses Tab until an element has the focus, and checks that the focus is visible there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${target} cannot be reached by Tab`);
}

test('the whole job by keyboard alone (WCAG 2.1.1)', async ({ page, wizard, product }) => {
  test.setTimeout(120_000);
  await wizard.open();
  await tabTo(page, wizard.start);
  await page.keyboard.press('Enter');

  await expect(wizard.title('token')).toBeFocused();
  await tabTo(page, wizard.tokenInput);
  await page.keyboard.insertText(product.stack.tokens.both);
  await tabTo(page, wizard.validate);
  await page.keyboard.press('Space');

  await expect(wizard.title('amount')).toBeFocused();
  await tabTo(page, page.getByRole('radio').first());
  while (!(await wizard.customCard.isChecked())) await page.keyboard.press('ArrowDown');
  await tabTo(page, wizard.customInput);
  await page.keyboard.type('0.25');
  await tabTo(page, page.getByText('Enter address', { exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Return address (optional)'));
  await page.keyboard.insertText(product.stack.payer.address);
  await tabTo(page, wizard.termsCheckbox);
  await page.keyboard.press('Space');
  await tabTo(page, wizard.continue);
  await page.keyboard.press('Enter');

  await expect(wizard.title('payment')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Copy Address' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Address copied to clipboard!')).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  await product.pay(address, '0.25');
  await expect(wizard.pill).toHaveText('Transaction Received - Job Active', { timeout: 20_000 });

  const download = page.getByRole('button', { name: 'Download CSV' });
  await expect(download).toBeVisible();
  await page.keyboard.press('Home');
  await wizard.title('payment').focus();
  await tabTo(page, download);
  const downloaded = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  await downloaded;
});

test('the first Tab skips the header', async ({ page, wizard }) => {
  await wizard.toToken();
  await page.reload();
  await expect(page.getByPlaceholder('0x...')).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('#content')).toBeFocused();
  await tabTo(page, page.getByRole('contentinfo').getByRole('link'));
  await page.keyboard.press('Enter');
  await expect(wizard.title('terms')).toBeFocused();
  await tabTo(page, page.getByRole('navigation', { name: 'Contents' }).getByRole('link').first());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2 }).nth(1)).toBeFocused();
});
