import { formatHypeShort, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { payThroughContract } from '../support/forwarder.ts';
import { until } from '../support/until.ts';
import { tokenBalance } from '../support/wallet-accounts.ts';
import { expect, test } from './fixtures.ts';

const JOB_TIMEOUT_MS = 180_000;

test('a payment without a known payer is held and released', async ({ page, wizard, product, faults }) => {
  faults.provoke(/\/return-address$/);
  test.setTimeout(JOB_TIMEOUT_MS);
  const { tokens, treasury } = product.stack;
  await wizard.toPayment('0.5');
  const wallet = (await wizard.paymentAddress()) as Address;
  const jobId = await page.evaluate(() => String(history.state.jobId));
  await payThroughContract(product, wallet, '0.5');
  await expect(page.getByText(/^The network does not show who paid/)).toBeVisible({ timeout: 30_000 });

  const field = page.getByLabel('Your own address');
  const save = page.getByRole('button', { name: 'Save Address' });
  await field.fill(treasury);
  await field.blur();
  await expect(page.getByText("This is the service's own wallet: anything sent to it is lost")).toBeVisible();
  await expect(save).toBeDisabled();
  await field.fill(wallet);
  await save.click();
  await expect(page.getByText('This is the payment address of a job: enter an address of your own')).toBeVisible();
  const own = privateKeyToAddress(generatePrivateKey());
  await field.fill(own);
  await save.click();
  await expect(page.getByText(/An operator checks this address/)).toBeVisible();
  await expect(page.getByText(new RegExp(`^${own}$`, 'i'))).toBeVisible();

  await expect(page.getByRole('row').nth(1)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop this job' }).click();
  await page.getByRole('button', { name: 'Stop it now' }).click();
  await product.ended(jobId, { timeoutMs: JOB_TIMEOUT_MS });
  const held = wizard.fact('Held by the operator');
  await expect(held).toBeVisible();
  const [balanceWei, tokenUnits] = await Promise.all([
    product.chain.getBalance({ address: wallet }),
    tokenBalance(product, tokens.both, wallet),
  ]);
  expect(balanceWei).toBeGreaterThan(parseHype('0.1'));
  expect(tokenUnits).toBeGreaterThan(0n);
  const { receipt } = await product.status(jobId);
  expect(receipt).toMatchObject({ heldWei: `${balanceWei}`, heldTokens: `${tokenUnits}` });
  await expect(held).toContainText(`${formatHypeShort(balanceWei, 6)} HYPE`);
  await expect(held).toContainText('BOTH');

  await product.release(jobId, own);
  await until(
    'the released money',
    () => product.chain.getBalance({ address: own }),
    (wei) => wei > 0n,
    { timeoutMs: 60_000 },
  );
  expect(await tokenBalance(product, tokens.both, own)).toBe(tokenUnits);
  expect(await product.chain.getBalance({ address: wallet })).toBe(0n);
  await expect(page.getByText(/^The network does not show who paid/)).toHaveCount(0, { timeout: 30_000 });
});
