import { readFile } from 'node:fs/promises';
import type { JobOrdersResponse } from '@maker/contracts';
import { API, changeAnswer } from './actions/api.ts';
import { paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

const HYPE = /^<?[\d.,]+ HYPE$/;
const STOP_TIMEOUT_MS = 120_000;

test('the receipt shows money, orders and transactions', async ({ page, wizard, product }) => {
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
  // The shared job trades, or has ended on a quick machine.
  await expect(receipt.getByText(/^(Next order at|Next order|Returned)$/)).toBeVisible();

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

/** Prices of each later order are higher by a percent. */
function rising({ orders, ...rest }: JobOrdersResponse): JobOrdersResponse {
  const raise = (price: string | undefined, number: number) =>
    price === undefined ? price : `${(BigInt(price) * BigInt(100 + number)) / 100n}`;
  const raised = orders.map((order) => ({
    ...order,
    priceX96: raise(order.priceX96, order.number),
    poolPriceBeforeX96: raise(order.poolPriceBeforeX96, order.number),
    poolPriceAfterX96: raise(order.poolPriceAfterX96, order.number),
  }));
  return { orders: raised, ...rest };
}

test('a flat price has figures and no picture', async ({ page, wizard }) => {
  await wizard.openJob(paidJob());
  await expect(page.getByRole('region', { name: 'How well it bought' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Live receipt' }).getByRole('row').nth(3)).toBeVisible();
  await expect(page.locator('figure')).toHaveCount(0);
});

test('figures and picture have a table too', async ({ page, wizard }) => {
  await changeAnswer<JobOrdersResponse>(page, 'orders', rising);
  await wizard.openJob(paidJob());
  const figures = page.getByRole('region', { name: 'How well it bought' });
  await expect(figures).toBeVisible({ timeout: 30_000 });
  await expect(wizard.fact('Price you saw')).toHaveText(/^[\d.,]+ HYPE$/);
  await expect(wizard.fact('Paid beyond that price, fee included')).toHaveText(/^[\d.,]+ HYPE$/);
  await expect(wizard.fact('Drift by other traders')).toHaveText(/^(<|>?−)?[\d.,]+ HYPE$/);
  await expect(page.getByText(/orders placed from/)).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('figure path').last()).toHaveAttribute('d', /^M[\d.]+ [\d.]+h0/);
  const table = page.getByRole('table', { name: 'Price of the pool and price paid, of some of the orders' });
  await expect(table.getByRole('row').nth(2)).toContainText('HYPE');
});

test('a private link stops, a shared one does not', async ({ page, wizard, product, browser }) => {
  test.setTimeout(STOP_TIMEOUT_MS);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await wizard.toPayment('1');
  const address = await wizard.paymentAddress();
  await product.pay(address, '1');
  await page.getByText('Links to this job').click({ timeout: 30_000 });
  const copied = async (button: string, confirmation: string) => {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(confirmation, { exact: true })).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  for (const [button, confirmation, canStop] of [
    ['Copy Link to Share', 'Link copied to clipboard!', false],
    ['Copy Private Link', 'Private link copied to clipboard!', true],
  ] as const) {
    const link = await copied(button, confirmation);
    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(link);
    await expect(other.getByText(address).first()).toBeVisible({ timeout: 30_000 });
    expect(new URL(other.url()).hash, 'the secret leaves the address').toBe('');
    await expect(other.getByText('Live receipt')).toBeVisible();
    await expect(other.getByRole('button', { name: 'Stop this job' })).toHaveCount(canStop ? 1 : 0);
    await context.close();
  }
});

test('the payer cancels an unpaid job', async ({ page, wizard }) => {
  await wizard.toPayment('1');
  await page.getByText('Schedule and cancellation').click();
  await page.getByRole('button', { name: 'Cancel this job' }).click();
  await page.getByRole('button', { name: 'Cancel it now' }).click();
  await expect(wizard.pill).toHaveText('Job Cancelled', { timeout: 30_000 });
  await expect(page.getByText('Send nothing to this address any more')).toBeVisible();
});

test('rows arrive with the live counter', async ({ page, wizard, product }) => {
  test.setTimeout(STOP_TIMEOUT_MS);
  // Polls of the job stay without an answer: its counter is the live channel's.
  for (const call of [API.payment, API.status]) await page.route(call, () => undefined);
  await wizard.toPayment('1');
  await product.pay(await wizard.paymentAddress(), '1');
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  const number = async (text: Promise<string | null>) => Number((await text)?.replace(',', ''));
  const counted = () =>
    number(receipt.locator('.stat', { hasText: 'Orders placed' }).locator('dd').first().textContent());
  const newestRow = () => number(receipt.getByRole('rowheader').first().textContent());
  for (const least of [1, 40, 80]) {
    await expect.poll(counted, { timeout: 40_000 }).toBeGreaterThanOrEqual(least);
    const placed = await counted();
    await expect.poll(newestRow, { timeout: 4_000 }).toBeGreaterThanOrEqual(placed);
  }
});

test('a printed receipt holds no power', async ({ page, wizard }) => {
  await wizard.openJob(paidJob());
  await expect(page.getByRole('region', { name: 'Live receipt' }).getByRole('row')).not.toHaveCount(0, {
    timeout: 30_000,
  });
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: 'Live receipt' })).toBeVisible();
  await expect(wizard.fact('Payment Wallet Address')).toBeVisible();
  for (const name of ['Copy Private Link', 'Stop this job', 'Download CSV']) {
    await expect(page.getByRole('button', { name })).toBeHidden();
  }
  await expect(page.getByText('/#job_')).toBeHidden();
});

test('the payer stops a job and is paid out', async ({ page, wizard, product }) => {
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
