import { tokenBalance } from '../support/wallet-accounts.ts';
import { Wizard } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

const JOB_TIMEOUT_MS = 240_000;
const RECEIVED = 'Transaction Received - Job Active';

test(
  'a visitor does the whole job',
  holds('1.visitor', '1.flow', '2.order', '4.created', '4.received', '6.no-login', '3.job-response', '5.token-server'),
  async ({ page, context, product, wizard }) => {
    test.setTimeout(JOB_TIMEOUT_MS);
    const { stack } = product;
    await wizard.toAmount(stack.tokens.both);
    await wizard.chooseCustom('0.25');
    await expect(page.getByText('150~250')).toBeVisible();
    await wizard.continue.click();

    await expect(wizard.title('payment')).toBeVisible();
    await expect(wizard.pill).toHaveText('Waiting for confirmation');
    const address = await wizard.paymentAddress();
    const tokensBefore = await tokenBalance(product, stack.tokens.both, stack.payer.address);
    await product.pay(address, '0.25');
    await expect(wizard.pill).toHaveText(RECEIVED);

    await page.reload();
    await expect(wizard.pill).toHaveText(RECEIVED);
    expect(await wizard.paymentAddress()).toBe(address);

    const second = new Wizard(await context.newPage(), stack);
    await second.open();
    await expect(second.pill).toHaveText(RECEIVED);
    expect(await second.paymentAddress()).toBe(address);

    // Simulates a closed laptop: no page of the site is open for a while.
    await page.close();
    await second.page.close();
    const returned = new Wizard(await context.newPage(), stack);
    await returned.open();
    expect(await returned.paymentAddress()).toBe(address);

    await expect(returned.page.getByText(/^Done\. .* delivered, .* HYPE returned$/)).toBeVisible({
      timeout: JOB_TIMEOUT_MS,
    });
    await expect(returned.fact('Tokens delivered')).not.toHaveText(/^0 /);
    expect(await tokenBalance(product, stack.tokens.both, stack.payer.address)).toBeGreaterThan(tokensBefore);
  },
);
