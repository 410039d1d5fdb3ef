import { clientConfigurationSchema } from '@maker/contracts';
import { freePort } from '@maker/local-stack';
import { serveSite } from '../support/site-server.ts';
import { configure } from './actions/api.ts';
import { createJob } from './actions/jobs.ts';
import { Wizard } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

test(
  'the configuration carries all specified values',
  holds('1.name', '3.configuration', '9.amounts', '9.times'),
  async ({ page, request, wizard }) => {
    const { shellUrl, apiUrl, apiKey, treasury } = wizard.stack;
    const answer = await request.get(`${shellUrl}/config.json`);
    expect(await answer.json()).toMatchObject({
      apiBaseUrl: apiUrl,
      apiKey,
      botWalletAddress: treasury,
      minimumPayment: 0.25,
      paymentTimeoutMinutes: 15,
      appName: 'HyperEVM Maker Bot',
    });
    await wizard.open();
    await expect(page).toHaveTitle('HyperEVM Maker Bot');
    await expect(wizard.logo).toHaveText('HyperEVM Maker Bot');
  },
);

for (const minimumPayment of [0, -1]) {
  test(
    `a minimum of ${minimumPayment}, which is not positive, becomes 0.01`,
    holds('3.configuration', '9.amounts', '2.amount.custom-card', '2.amount.custom-input'),
    async ({ page, wizard, faults }) => {
      faults.provoke(/\/plan$/);
      await configure(page, { minimumPayment });
      await wizard.toAmount();
      await expect(page.getByText('Minimum 0.01 HYPE')).toBeVisible();
      await wizard.customCard.check();
      await expect(wizard.customInput).toHaveAttribute('placeholder', 'Enter amount (min 0.01)...');
      await wizard.customInput.fill('0.009');
      await expect(page.getByText('Minimum amount is 0.01 HYPE')).toBeVisible();
      await wizard.customInput.fill('0.01');
      await expect(page.getByText('Minimum amount is')).toHaveCount(0);
      // The service states its minimum in its own words.
      await wizard.termsCheckbox.check();
      await wizard.customInput.fill('0.05');
      await expect(page.getByText('The amount must be from 0.25 to 1000 HYPE', { exact: true })).toBeVisible();
      await expect(page.getByText('0~0')).toHaveCount(0);
      await expect(wizard.continue).toBeDisabled();
    },
  );
}

test('name, minimum and deadline come at run time', holds('3.configuration'), async ({ page, wizard, product }) => {
  await configure(page, { appName: 'Other Bot', minimumPayment: 0.75, paymentTimeoutMinutes: 20 });
  await wizard.toAmount();
  await expect(wizard.logo).toHaveText('Other Bot');
  await expect(page.getByText('Minimum 0.75 HYPE')).toBeVisible();
  await wizard.openJob(await createJob(product));
  await expect(page.getByText('If the transfer is not detected within 20 minutes')).toBeVisible();
});

test(
  'an unreachable API shows the specified messages',
  holds('7.network', '8.stats', '8.polling'),
  async ({ page, product, faults }) => {
    const [apiPort, port] = [await freePort(), await freePort()];
    faults.provoke(new RegExp(`:${apiPort}/`));
    const job = await createJob(product);
    const configuration = clientConfigurationSchema.parse({
      apiBaseUrl: `http://127.0.0.1:${apiPort}`,
      apiKey: 'key',
      botWalletAddress: product.stack.treasury,
    });
    const site = await serveSite({ configuration }, port);
    try {
      const wizard = new Wizard(page, { ...product.stack, shellUrl: `http://127.0.0.1:${port}` });
      await wizard.open();
      await expect(wizard.title('landing')).toBeVisible();
      // 'No recent jobs' would be an answer, and the API gave none.
      await expect(wizard.fact('Latest Job')).toHaveText('–');
      await expect(wizard.redBox).toHaveCount(0);
      await wizard.start.click();
      await wizard.enterToken(product.stack.tokens.both);
      await expect(wizard.redBox).toHaveText('Failed to connect to the API server');
      await wizard.openJob(job);
      await expect(wizard.redBox).toHaveText('Failed to connect to the API server');
      await expect(wizard.fact('Payment Wallet Address')).toHaveText(job.paymentAddress);
    } finally {
      await site.stop();
    }
  },
);

test('the shell works without configuration and recovers', async ({ page, wizard, faults }) => {
  faults.provoke(/config\.json$/);
  await page.route('**/config.json', (route) => route.fulfill({ status: 404 }));
  await wizard.open();
  await wizard.start.click();
  await expect(page.getByRole('heading', { name: 'This part could not be loaded' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(wizard.title('token')).toBeVisible();
});
