import { paidJob } from './actions/jobs.ts';
import { answerAsChain, ENDPOINT, openVerify, receiptFile, verify } from './actions/verify.ts';
import { expect, test } from './fixtures.ts';

test('a receipt verifies in the browser', async ({ page, wizard, product }) => {
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
  await expect(other.getByText('The chain confirms every fact of this receipt that it can show.')).toBeVisible({
    timeout: 45_000,
  });
  await expect(other.getByRole('region', { name: 'Proven' }).getByText(/^Only buys: \d+ purchases/)).toBeVisible();

  await verify(other, content.replace(/"feePercent":30/, '"feePercent":20'));
  await expect(other.getByText(/^Not confirmed: The job's wallet 0x\w+ did not sign this content/)).toBeVisible();
  await verify(other, 'no receipt');
  await expect(other.getByText(/^Not confirmed: This is no receipt of a job/)).toBeVisible();
  expect([...asked]).toEqual([new URL(ENDPOINT).origin]);
});

test('the page of receipts has its own origin', async ({ page, product }) => {
  await openVerify(page, product);
  const { origin } = new URL(page.url());
  expect(origin).not.toBe(new URL(product.stack.shellUrl).origin);
  // Neither the API's key nor the wizard is there.
  for (const path of ['/config.json', '/remotes/token/remoteEntry.js', '/terms']) {
    expect(
      (
        await page.request.get(`${product.stack.shellUrl}${path}`, { headers: { host: new URL(origin).host } })
      ).status(),
      path,
    ).toBe(404);
  }
  const { headers } = await fetch(product.stack.shellUrl);
  expect(headers.get('content-security-policy')).not.toMatch(/connect-src[^;]* https:(;|$|\s)/);
});

test('the page of receipts takes only https', async ({ page, product }) => {
  await openVerify(page, product);
  await expect(page.getByRole('button', { name: 'Verify' })).toBeDisabled();
  await verify(page, await receiptFile(product, paidJob().jobId), 'http://rpc.test');
  await expect(page.getByText('Enter the https address of an RPC endpoint')).toBeVisible();
});
