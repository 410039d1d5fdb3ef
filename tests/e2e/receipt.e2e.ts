import { readFile } from 'node:fs/promises';
import { paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

const HYPE = /^<?[\d.,]+ HYPE$/;
const STOP_TIMEOUT_MS = 120_000;

test('the receipt of a paid job: money, orders, each with its transaction (design § 2.6)', async ({
  page,
  wizard,
  product,
}) => {
  const job = paidJob();
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    const configuration = (await response.json()) as object;
    await route.fulfill({ response, json: { ...configuration, explorerUrl: 'https://explorer.example' } });
  });
  await wizard.openJob(job);
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  await expect(receipt.getByRole('row')).not.toHaveCount(0, { timeout: 30_000 });

  await expect(wizard.fact('Deposit')).toHaveText('0.25 HYPE');
  await expect(wizard.fact('Service fee, 30%')).toHaveText('0.075 HYPE');
  await expect(wizard.fact('Spent on orders')).toHaveText(HYPE);
  await expect(wizard.fact('Gas of all transactions')).toHaveText(HYPE);
  await expect(receipt.getByText('of 150~250 estimated')).toBeVisible();
  await expect(receipt.getByText('Next order at')).toBeVisible();
  await expect(receipt.getByText(/orders placed from/)).toBeVisible();

  const [order] = await product.orders(job.jobId);
  const transaction = receipt.getByRole('table').getByRole('link').last();
  await expect(transaction).toHaveAttribute('href', /^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/);
  await expect(transaction).toHaveAttribute('target', '_blank');
  await expect(page.getByRole('link', { name: 'View it on the explorer' })).toHaveAttribute(
    'href',
    `https://explorer.example/address/${job.paymentAddress}`,
  );

  const downloaded = page.waitForEvent('download');
  await receipt.getByRole('button', { name: 'Download CSV' }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toBe(`${job.jobId}.csv`);
  const csv = await readFile(await file.path(), 'utf8');
  expect(csv).toContain(order?.transactionHash ?? 'an order');
});

test('the payer stops a job from its page: no further order, tokens delivered, the rest returned (design § 4)', async ({
  page,
  wizard,
  product,
}) => {
  test.setTimeout(STOP_TIMEOUT_MS);
  await wizard.toPayment('1');
  await product.pay(await wizard.paymentAddress(), '1');
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  await expect(receipt.getByRole('row')).not.toHaveCount(0, { timeout: 30_000 });

  await page.getByRole('button', { name: 'Stop this job' }).click();
  await expect(page.getByText('What was bought is delivered, what is left is returned')).toBeVisible();
  await page.getByRole('button', { name: 'Stop it now' }).click();
  await expect(receipt.getByText('The job ended early: The payer stopped this job')).toBeVisible({
    timeout: STOP_TIMEOUT_MS,
  });
  await expect(wizard.fact('Tokens delivered')).not.toHaveText(/^0 /);
  await expect(wizard.fact('HYPE returned')).toHaveText(/^0\.[1-9]/);
  await expect(page.getByRole('button', { name: 'Stop this job' })).toHaveCount(0);
});
