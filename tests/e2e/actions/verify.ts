import type { Page } from '@playwright/test';
import type { ProductClient } from '../../support/product-client.ts';

/** The endpoint that the visitor chooses: the page only allows https, which the local chain lacks. */
export const ENDPOINT = 'https://rpc.test/evm';

/** Opens the page that verifies receipts. */
export async function openVerify(page: Page, { stack }: ProductClient): Promise<void> {
  await page.goto(new URL('/verify', stack.shellUrl).href);
}

/** Answers for the endpoint from the local chain. @returns addresses that the page sent requests to */
export async function answerAsChain(page: Page, rpcUrl: string): Promise<Set<string>> {
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

/** The current signed file of a job. */
export async function receiptFile({ stack }: ProductClient, jobId: string): Promise<string> {
  const response = await fetch(`${stack.apiUrl}/jobs/${jobId}/receipt.json`, {
    headers: { 'x-api-key': stack.apiKey },
  });
  return response.text();
}

/** Chooses a file and an endpoint, and verifies the file. */
export async function verify(page: Page, content: string, endpoint = ENDPOINT): Promise<void> {
  await page
    .getByLabel('Receipt file')
    .setInputFiles({ name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await page.getByRole('textbox', { name: 'RPC endpoint' }).fill(endpoint);
  await page.getByRole('button', { name: 'Verify' }).click();
}
