import type { Page } from '@playwright/test';
import { paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

/** Stands for the visitor's own choice: the page may reach https alone, and the local chain has none. */
const ENDPOINT = 'https://rpc.test/evm';

/** Lets the endpoint answer as the local chain does. @returns addresses that the page asked for anything */
async function answerAsChain(page: Page, rpcUrl: string): Promise<Set<string>> {
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.route(`${ENDPOINT}**`, async (route) => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: route.request().postData(),
    });
    await route.fulfill({
      status: response.status,
      contentType: 'application/json',
      headers: { 'access-control-allow-origin': '*' },
      body: await response.text(),
    });
  });
  return asked;
}

async function verify(page: Page, content: string): Promise<void> {
  await page
    .getByLabel('Receipt file')
    .setInputFiles({ name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await page.getByRole('textbox', { name: 'RPC endpoint' }).fill(ENDPOINT);
  await page.getByRole('button', { name: 'Verify' }).click();
}

test('a receipt from the page is verified in the browser by the endpoint of the visitor, and by nothing of ours (design § 2.6)', async ({
  page,
  wizard,
  product,
}) => {
  await wizard.openJob(paidJob());
  const receipt = page.getByRole('region', { name: 'Live receipt' });
  await expect(receipt.getByRole('row')).not.toHaveCount(0, { timeout: 30_000 });
  const downloaded = page.waitForEvent('download');
  await receipt.getByRole('button', { name: 'Download Signed Receipt' }).click();
  const file = await downloaded;
  const stream = await file.createReadStream();
  const content = (await stream.toArray()).join('');

  const opened = page.context().waitForEvent('page');
  await receipt.getByRole('link', { name: 'Verify it' }).click();
  const other = await opened;
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Verify a Receipt');
  const asked = await answerAsChain(other, product.stack.rpcUrl);

  await verify(other, content);
  await expect(other.getByText('All of this receipt that the chain can tell is so.')).toBeVisible({ timeout: 45_000 });
  await expect(other.getByRole('region', { name: 'Proven' }).getByText(/^Only buys: \d+ purchases/)).toBeVisible();

  await verify(other, content.replace(/"feePercent":30/, '"feePercent":20'));
  await expect(other.getByText(/^Not so: The file is not signed by the job's wallet/)).toBeVisible();
  await verify(other, 'no receipt');
  await expect(other.getByText(/^Not so: This is no receipt of a job/)).toBeVisible();
  expect([...asked]).toEqual([new URL(ENDPOINT).origin]);
});

test('the page of receipts takes only https', async ({ page, product }) => {
  await page.goto(new URL('/verify', product.stack.shellUrl).href);
  const button = page.getByRole('button', { name: 'Verify' });
  await expect(button).toBeDisabled();
  const receiptUrl = `${product.stack.apiUrl}/jobs/${paidJob().jobId}/receipt.json`;
  const content = await (await fetch(receiptUrl, { headers: { 'x-api-key': product.stack.apiKey } })).text();
  await page
    .getByLabel('Receipt file')
    .setInputFiles({ name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await page.getByRole('textbox', { name: 'RPC endpoint' }).fill('http://rpc.test');
  await button.click();
  await expect(page.getByText('Enter the https address of an RPC endpoint')).toBeVisible();
});
