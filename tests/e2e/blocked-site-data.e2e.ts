import { createJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

test.beforeEach(async ({ page }) => {
  // As Chromium does it with blocked site data.
  await page.addInitScript(() => {
    const blocked = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: blocked });
  });
});

test('a reload returns to the job without site data', async ({ page, wizard }) => {
  await wizard.toPayment('0.5');
  const address = await wizard.paymentAddress();
  await expect(page.getByText(/^This browser stores nothing/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy Link' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy Private Code' })).toBeVisible();
  await page.reload();
  await expect(wizard.title('payment')).toBeVisible();
  expect(await wizard.paymentAddress()).toBe(address);
  // Only the code is lost: the page takes it again.
  await expect(page.getByLabel('Private code')).toBeVisible();
});

test('Back from another site returns to the job', async ({ page, wizard, product }) => {
  const { jobId, paymentAddress } = await createJob(product);
  await page.goto(`${wizard.stack.shellUrl}/#${jobId}`);
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  await page.goto('about:blank');
  await page.goBack();
  expect(await wizard.paymentAddress()).toBe(paymentAddress);
});
