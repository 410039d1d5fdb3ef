import type { Page } from '@playwright/test';
import type { ProductClient } from '../../support/product-client.ts';

/** Stands for the visitor's own choice: the page may reach https alone, and the local chain has none. */
export const ENDPOINT = 'https://rpc.test/evm';

/** Opens the page that checks receipts. */
export async function openVerify(page: Page, { stack }: ProductClient): Promise<void> {
  await page.goto(new URL('/verify', stack.shellUrl).href);
}

/** Lets the endpoint answer as the local chain does. @returns addresses that the page asked for anything */
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

/** The signed file of a job as it stands now. */
export async function receiptFile({ stack }: ProductClient, jobId: string): Promise<string> {
  const response = await fetch(`${stack.apiUrl}/jobs/${jobId}/receipt.json`, {
    headers: { 'x-api-key': stack.apiKey },
  });
  return response.text();
}

/** Chooses a file and an endpoint, and has the one checked by the other. */
export async function verify(page: Page, content: string, endpoint = ENDPOINT): Promise<void> {
  await page
    .getByLabel('Receipt file')
    .setInputFiles({ name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await page.getByRole('textbox', { name: 'RPC endpoint' }).fill(endpoint);
  await page.getByRole('button', { name: 'Verify' }).click();
}
