import { readFile } from 'node:fs/promises';
import type { JobOrdersResponse } from '@maker/contracts';
import type { Locator, Page } from '@playwright/test';
import { getAddress } from 'viem';
import { API, changeAnswer, configure, recordCalls } from './actions/api.ts';
import { createJob, paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

const HYPE = /^<?[\d.,]+ HYPE$/;
const STOP_TIMEOUT_MS = 120_000;

test('the receipt shows money, orders and transactions', async ({ page, wizard, product }) => {
  const job = paidJob();
  await configure(page, { explorerUrl: 'https://explorer.example' });
  const loaded = recordCalls(page, /change-return-address/);
  await wizard.openJob(job);
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  await expect(receipt.getByRole('row')).not.toHaveCount(0, { timeout: 30_000 });
  // Must match the on-demand scripts in page-weight.spec.ts.
  expect(loaded).toEqual([]);

  // One headline and four figures show the state of the job.
  await expect(receipt.locator('.notice')).toHaveCount(1);
  // An ended job has its verdict in their place.
  expect([0, 4]).toContain(await receipt.locator('.stat').count());
  await expect(wizard.fact('Deposit')).toHaveText('0.25 HYPE');
  await expect(wizard.fact('Service fee, 30%')).toHaveText('0.075 HYPE');
  await expect(wizard.fact('Spent on orders')).toHaveText(HYPE);
  await expect(wizard.fact('Network fees in total')).toHaveText(HYPE);
  await expect(receipt.getByText(/of 150~250 estimated/)).toBeVisible();
  // The shared job trades, or has ended on a fast machine.
  await expect(receipt.getByText(/^(Next order at|Next order|Returned|[\d.,]+ BOTH bought at .*)$/)).toBeVisible();

  const [order] = await product.orders(job.jobId);
  await receipt.getByRole('rowheader').last().getByRole('button').click();
  const transaction = receipt.getByRole('table').getByRole('link').last();
  await expect(transaction).toHaveAttribute('href', /^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/);
  await expect(transaction).toHaveAttribute('target', '_blank');
  // Folded once the job has ended.
  await expect(page.locator('a', { hasText: 'View it on the explorer' })).toHaveAttribute(
    'href',
    `https://explorer.example/address/${job.paymentAddress}`,
  );

  const { depositTransactions: [deposit] = [] } = await product.status(job.jobId);
  const depositHash = deposit?.transactionHash ?? 'none';
  const { from, to, value } = await product.chain.getTransaction({ hash: depositHash as `0x${string}` });
  expect({ from: getAddress(from), to: getAddress(to ?? from), value }).toEqual({
    from: getAddress(product.stack.payer.address),
    to: getAddress(job.paymentAddress),
    value: BigInt(job.paymentAmountWei),
  });
  await expect(wizard.fact('Deposit \\(mined\\)').getByRole('link')).toHaveAttribute(
    'href',
    `https://explorer.example/tx/${depositHash}`,
  );

  const { name, csv } = await downloadCsv(page);
  expect(name).toBe(`${job.jobId}.csv`);
  expect(csv).toContain(order?.transactionHash ?? 'an order');
  expect(csv).toMatch(new RegExp(`^deposit,.*${depositHash}.*,0\\.25,`, 'm'));
});

/** Orders that the shown minutes count. */
async function countedByMinute(receipt: Locator): Promise<number> {
  const counts = await receipt.locator('[aria-label=Orders] td:nth-child(2)').allTextContents();
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/** Presses 'Download CSV'. */
async function downloadCsv(page: Page): Promise<{ readonly name: string; readonly csv: string }> {
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await downloaded;
  return { name: file.suggestedFilename(), csv: await readFile(await file.path(), 'utf8') };
}

test('a pause is on the page and in the CSV', async ({ page, wizard, product }) => {
  test.setTimeout(STOP_TIMEOUT_MS);
  await wizard.toPayment('0.25');
  const address = await wizard.paymentAddress();
  const jobId = await page.evaluate(() => String(history.state.jobId));
  await product.pay(address, '0.25');
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  await expect(receipt.getByRole('row')).not.toHaveCount(0, { timeout: 30_000 });
  await product.operate('POST', `/jobs/${jobId}/pause`, { reason: 'asked for by a test' });
  await expect(receipt.getByText(/^Paused since/)).toBeVisible({ timeout: 30_000 });
  await product.command({ action: 'resume', jobId });
  await expect(receipt.getByText(/^Paused since/)).toHaveCount(0, { timeout: 30_000 });
  const { receipt: { pauses: [pause] = [] } = {} } = await product.status(jobId);
  await expect(page.getByRole('region', { name: 'Pauses' })).toBeVisible({ timeout: 30_000 });
  const { csv } = await downloadCsv(page);
  expect(csv).toMatch(new RegExp(`^pause,.*,${pause?.since},${pause?.until},${pause?.reason}\\r$`, 'm'));
});

test('paper has every order and no folded rows', async ({ page, wizard }) => {
  await wizard.openJob(paidJob());
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  await expect.poll(() => countedByMinute(receipt), { timeout: 60_000 }).toBeGreaterThan(20);
  await expect(receipt.getByRole('listitem')).toHaveCount(0);
  await page.evaluate(() => {
    const cards = () => document.querySelectorAll('section[aria-label=Orders] li').length;
    // Runs after the page's own listener, and before the browser lays out the paper.
    addEventListener('beforeprint', () => Object.assign(globalThis, { cardsOnPaper: cards() }));
  });
  const known = await countedByMinute(receipt);
  await page.pdf();
  const onPaper = await page.evaluate(() => (globalThis as unknown as { cardsOnPaper: number }).cardsOnPaper);
  expect(onPaper).toBeGreaterThanOrEqual(known);
  await expect(receipt.getByRole('listitem')).toHaveCount(0);
});

/** Raises the price of each later order by one percent. */
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
  await expect(page.getByRole('region', { name: 'Purchase quality' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Live receipt' }).getByRole('row').nth(1)).toBeVisible();
  await expect(page.locator('figure')).toHaveCount(0);
});

test('figures and picture have a table too', async ({ page, wizard }) => {
  await changeAnswer<JobOrdersResponse>(page, 'orders', rising);
  await wizard.openJob(paidJob());
  const figures = page.getByRole('region', { name: 'Purchase quality' });
  await expect(figures).toBeVisible({ timeout: 30_000 });
  await expect(wizard.fact('Price you saw')).toHaveText(/^[\d.,]+ HYPE$/);
  await expect(wizard.fact('Cost above that price, with all fees')).toHaveText(/^[\d.,]+ HYPE$/);
  await expect(figures.locator('dt:visible')).toHaveCount(3);
  await expect(page.getByText(/orders placed from/)).toBeVisible({ timeout: 30_000 });
  // The time axis: begin, middle and end.
  await expect(page.locator('figure').getByText(/^\d+:\d\d( [AP]M)?$/)).toHaveCount(3);
  await expect(page.locator('figure path').last()).toHaveAttribute('d', /^M[\d.]+ [\d.]+h0/);
  const table = page.getByRole('table', { name: 'Pool price and price paid for some orders' });
  await expect(table.getByRole('row').nth(2)).toContainText('HYPE');
});

test('the link has no power, the private code allows stopping', async ({ page, wizard, product, browser }) => {
  test.setTimeout(STOP_TIMEOUT_MS);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await wizard.toPayment('0.5');
  const address = await wizard.paymentAddress();
  await product.pay(address, '0.5');
  await expect(page.getByText('Live receipt')).toBeVisible({ timeout: 30_000 });
  await page.getByText('Link and private code').click();
  const copied = async (button: string, confirmation: string) => {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(confirmation, { exact: true })).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const link = await copied('Copy Link', 'Link copied to clipboard!');
  const code = await copied('Copy Private Code', 'Private code copied to clipboard!');
  const context = await browser.newContext();
  const other = await context.newPage();
  const stop = other.getByRole('button', { name: 'Stop this job' });
  await other.goto(link);
  await expect(other.getByText(address).first()).toBeVisible({ timeout: 30_000 });
  await expect(other.getByText('Live receipt')).toBeVisible();
  await expect(stop).toHaveCount(0);
  await other.getByText('Link and private code').click();
  await other.getByLabel('Private code').fill(code);
  await other.getByRole('button', { name: 'Use Private Code' }).click();
  await expect(stop).toBeVisible();
  expect(other.url()).toBe(`${wizard.stack.shellUrl}/`);
  // The other browser has the job from now on, as its own.
  await other.reload();
  await expect(stop).toBeVisible({ timeout: 30_000 });
  await context.close();
});

test('an old private link loses its secret and opens nothing', async ({ page, wizard, product }) => {
  const { jobId, stopSecret } = await createJob(product);
  await page.goto(`${wizard.stack.shellUrl}/#${jobId}.${stopSecret}`);
  await expect(page.getByRole('heading', { name: 'There is no such job' })).toBeVisible();
  expect(page.url()).toBe(`${wizard.stack.shellUrl}/`);
});

test('the payer cancels an unpaid job', async ({ page, wizard }) => {
  await wizard.toPayment('1');
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  await page.getByText('Schedule and cancellation').click();
  await page.getByRole('button', { name: 'Cancel this job' }).click();
  // The page then shows only what the answer to the cancellation says.
  await page.route(API.payment, () => undefined);
  await page.getByRole('button', { name: 'Cancel it now' }).click();
  await expect(wizard.pill).toHaveText('Job Cancelled');
  await expect(page.getByText('Send nothing to this address any more')).toBeVisible();
  for (const stale of [/^Exact Amount/, /^Tokens and change go to/, /Latest end/, /^Send from your wallet$/]) {
    await expect(page.getByText(stale)).toHaveCount(0);
  }
  await expect(page.getByRole('timer')).toHaveCount(0);
});

test('rows arrive with the live counter', async ({ page, wizard, product }) => {
  test.setTimeout(STOP_TIMEOUT_MS);
  // Polls of the job get no answer, so the counter comes from the live channel.
  for (const call of [API.payment, API.status]) await page.route(call, () => undefined);
  await wizard.toPayment('0.25');
  await product.pay(await wizard.paymentAddress(), '0.25');
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  const number = async (text: Promise<string | null>) => Number((await text)?.replace(',', ''));
  const counted = () =>
    number(receipt.locator('.stat', { hasText: 'Orders placed' }).locator('dd').first().textContent());
  for (const least of [1, 40, 80]) {
    await expect.poll(counted, { timeout: 40_000 }).toBeGreaterThanOrEqual(least);
    const placed = await counted();
    await expect.poll(() => countedByMinute(receipt), { timeout: 4_000 }).toBeGreaterThanOrEqual(placed);
  }
});

test('a printed receipt holds no power', async ({ page, wizard }) => {
  await wizard.openJob(paidJob());
  await expect(page.getByRole('region', { name: 'Live receipt' }).getByRole('row')).not.toHaveCount(0, {
    timeout: 30_000,
  });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
  await expect(page.getByRole('region', { name: 'Live receipt' })).toBeVisible();
  // Dark ink on white paper.
  await expect(wizard.title('payment')).toHaveCSS('color', 'rgb(8, 32, 26)');
  await expect(page.getByText('Link and private code')).toBeHidden();
  await expect(wizard.fact('Payment Wallet Address')).toBeVisible();
  for (const name of ['Copy Private Code', 'Stop this job', 'Download CSV']) {
    await expect(page.getByRole('button', { name })).toBeHidden();
  }
  await expect(page.getByText('/#job_')).toBeHidden();
});

test('the payer stops a job and is paid out', async ({ page, wizard, product }) => {
  test.setTimeout(STOP_TIMEOUT_MS);
  await wizard.toPayment('0.5');
  await product.pay(await wizard.paymentAddress(), '0.5');
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  await expect(receipt.getByRole('row')).not.toHaveCount(0, { timeout: 30_000 });

  await page.getByRole('button', { name: 'Stop this job' }).click();
  await expect(page.getByText('The bought tokens are delivered, and the unspent HYPE is returned')).toBeVisible();
  await page.getByRole('button', { name: 'Stop it now' }).click();
  await expect(receipt.getByText(/^Stopped by you: .+ delivered, .+ returned$/)).toBeVisible({
    timeout: STOP_TIMEOUT_MS,
  });
  await expect(wizard.fact('Tokens delivered')).not.toHaveText(/^0 /);
  await expect(wizard.fact('HYPE returned')).toHaveText(/^0\.[1-9]/);
  await expect(page.getByText(/low liquidity/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop this job' })).toHaveCount(0);
});
