import { expect, test } from '@playwright/test';
import { ProductClient, readStack } from '../system/product-client.ts';
import { tokenBalance } from '../system/wallet-accounts.ts';
import { watchPage } from './page-faults.ts';

const JOB_TIMEOUT_MS = 240_000;

test('a visitor does the whole job, from START to completed (specification § 1)', async ({ page }) => {
  test.setTimeout(JOB_TIMEOUT_MS);
  const faults = watchPage(page);
  const product = new ProductClient(readStack());
  const { stack } = product;

  await page.goto(stack.shellUrl);
  await expect(page.getByRole('heading', { name: 'Boosted Activity. Increased Visibility.' })).toBeVisible();
  await expect(page.getByText('HyperEVM Online')).toBeVisible();
  await page.getByRole('button', { name: 'START' }).click();

  await expect(page.getByRole('heading', { name: 'Enter Token Address' })).toBeFocused();
  await page.getByPlaceholder('0x...').fill(stack.tokens.both);
  await page.getByRole('button', { name: 'VALIDATE TOKEN' }).click();
  await expect(page.getByText('Token validated successfully! Proceeding...')).toBeVisible();
  await expect(page.getByText('V2 Liquidity')).toBeVisible();
  await expect(page.getByText('V3 Liquidity')).toBeVisible();

  await expect(page.getByRole('heading', { name: 'Choose Your Boosting Budget' })).toBeVisible();
  await page.getByText('Custom Amount').click();
  await page.getByPlaceholder('Enter amount (min 0.25)...').fill('0.25');
  await expect(page.getByText('150~250')).toBeVisible();
  await expect(page.getByRole('button', { name: 'CONTINUE' })).toBeDisabled();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'CONTINUE' }).click();

  await expect(page.getByRole('heading', { name: 'Initiate Token Transfer' })).toBeVisible();
  await expect(page.getByText('Waiting for confirmation').first()).toBeVisible();
  const address = /0x[0-9a-fA-F]{40}/.exec((await page.locator('main').textContent()) ?? '')?.[0];
  if (!address) throw new Error('the payment step shows no address');
  const tokensBefore = await tokenBalance(product, stack.tokens.both, stack.payer.address);

  await product.pay(address, '0.25');
  await expect(page.getByText('Transaction Received - Job Active').first()).toBeVisible({ timeout: 15_000 });

  await page.reload();
  await expect(page.getByText('Transaction Received - Job Active').first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/completed/i).first()).toBeVisible({ timeout: JOB_TIMEOUT_MS });
  expect(await tokenBalance(product, stack.tokens.both, stack.payer.address)).toBeGreaterThan(tokensBefore);
  expect(faults()).toEqual([]);
});
