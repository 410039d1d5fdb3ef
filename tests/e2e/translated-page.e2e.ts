import type { Page } from '@playwright/test';
import { answerPayments, type ShownPayment } from './actions/api.ts';
import { createJob, paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

/**
 * Changes the page as Chrome's translator does: replaces each text node by new ones in two `font` elements, now and after each
 * change. The words stay the same, so an old text shows that React can no longer update it.
 */
async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const isLeft = (node: Node) =>
      node.parentElement?.closest('[translate=no], script, style, font, textarea, title') != null ||
      !node.nodeValue?.trim();
    const replace = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of texts) {
        if (isLeft(text)) continue;
        const outer = document.createElement('font');
        const inner = document.createElement('font');
        inner.textContent = text.nodeValue;
        outer.append(inner);
        text.parentNode?.replaceChild(outer, text);
      }
    };
    document.addEventListener('DOMContentLoaded', () => {
      replace(document.body);
      new MutationObserver(() => replace(document.body)).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
  });
}

test('the wizard works in a translated page', async ({ page, wizard }) => {
  await translate(page);
  await wizard.toAmount();
  await page.getByText('Light Boost').click();
  await wizard.customCard.check();
  await wizard.customInput.fill('0.1');
  await expect(page.getByText('Minimum amount is 0.25 HYPE')).toBeVisible();
  for (const [amount, estimate] of [
    ['0.5', '500~833'],
    ['2', '2600~4333'],
  ] as const) {
    await wizard.customInput.fill(amount);
    await expect(page.getByRole('status').getByText('Estimated makers:')).toHaveText(`Estimated makers: ${estimate}`);
  }
  await wizard.customInput.fill('0.25');
  await wizard.termsCheckbox.check();
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
  await page.getByRole('button', { name: 'Copy Address' }).click();
  await wizard.back.click();
  await expect(wizard.title('amount')).toBeVisible();
});

test('a translated payment step follows the payment', async ({ page, wizard, product }) => {
  await translate(page);
  const job = await createJob(product);
  await wizard.openJob(job);
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  const left = page
    .locator('[aria-hidden=true]', { hasText: /^\d+:\d\d$/ })
    .or(page.getByText(/^\d+:\d\d$/))
    .first();
  const before = await left.textContent();
  await expect(left).not.toHaveText(String(before));
  await answerPayments(page, { status: 'cancelled' });
  await expect(wizard.pill).toHaveText('Job Cancelled', { timeout: 15_000 });
  await expect(wizard.status).toHaveText('Job Cancelled');
});

test('a translated payment step shows every status', async ({ page, wizard, product }) => {
  await translate(page);
  const shown: { -readonly [Name in keyof ShownPayment]: ShownPayment[Name] } = {};
  await answerPayments(page, shown);
  await page.clock.install();
  await wizard.openJob(await createJob(product));
  const flags = { underpaid: false, overpaid: false, late: false };
  for (const [change, pill, advice] of [
    [{ waitingWei: '100000000000000000' }, 'Waiting for confirmation', '0.1 HYPE seen on the network'],
    [
      { waitingWei: undefined, receivedWei: '100000000000000000', flags: { ...flags, underpaid: true } },
      'Waiting for confirmation',
      '0.1 of 0.25 HYPE received',
    ],
    [{ status: 'failed_liquidity', flags }, 'Job Failed - Insufficient Liquidity', 'Job has failed.'],
    [{ status: 'failed_technical' }, 'Job Failed - Technical Issue', 'Job has failed.'],
    [
      { status: 'payment_expired', lateWei: '1', flags: { ...flags, late: true } },
      'Transaction Failed',
      'arrived after',
    ],
    [{ status: 'active', flags }, 'Job Active - Trading', 'Important Notes'],
    [{ paymentReceived: true }, 'Transaction Received - Job Active', 'Live receipt'],
    [{ status: 'completed' }, 'Transaction Received - Job Active', 'Done'],
    [{ status: 'completed', paymentReceived: false }, 'Job Completed Successfully', 'Send nothing to this address'],
  ] as const) {
    Object.assign(shown, change);
    await page.clock.fastForward(10_000);
    await expect(wizard.pill).toContainText(pill);
    await expect(page.getByText(advice).first()).toBeVisible();
  }
});

test('translated token errors, terms and recent jobs work', async ({ page, wizard, product }) => {
  await translate(page);
  await wizard.openJob(await createJob(product));
  await wizard.logo.click();
  await expect(page.getByRole('region', { name: 'Your recent jobs' })).toBeVisible();
  await wizard.start.click();
  for (const [typed, problem] of [
    ['0x12', 'Please enter a valid token address'],
    [wizard.stack.tokens.honeypot, ''],
    ['0x1234567890123456789012', 'Invalid token address format.'],
  ] as const) {
    await wizard.enterToken(typed);
    await expect(wizard.redBox).toContainText(problem);
    await expect(wizard.validate).toHaveText('VALIDATE TOKEN');
  }
  await wizard.enterToken(wizard.stack.tokens.both);
  await expect(wizard.title('amount')).toBeVisible();
  await page.getByRole('link', { name: 'Terms of Service' }).last().click();
  await expect(wizard.title('terms')).toBeVisible();
});

test('a translated receipt follows the job', async ({ page, wizard }) => {
  await translate(page);
  await wizard.openJob(paidJob());
  await expect(wizard.pill).toHaveText('Transaction Received - Job Active');
  await expect(page.getByRole('heading', { name: 'Live receipt' })).toBeVisible();
  const checked = page.getByText(/^Checked at/);
  const before = await checked.textContent();
  await expect(checked).not.toHaveText(String(before), { timeout: 15_000 });
});

test('addresses, amounts and ids are not translated', async ({ page, wizard, product }) => {
  const job = await createJob(product);
  await wizard.openJob(job);
  for (const text of [job.paymentAddress, job.jobId, '0.25']) {
    const shown = page.getByText(text, { exact: true }).first();
    await expect(shown).toBeVisible();
    expect(await shown.evaluate((element) => element.closest('[translate=no]') !== null)).toBe(true);
  }
});
