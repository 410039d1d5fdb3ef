import type { Page } from '@playwright/test';
import { answerPayments, type ShownPayment } from './actions/api.ts';
import { createJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

/**
 * Changes the page as extensions do, from the first element on: an icon behind each field, a mark in each button and heading,
 * foreign elements around the page's own, and attributes on all of them.
 */
async function edit(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const MARK = 'data-extension';
    const mark = (text: string) => {
      const element = document.createElement('span');
      element.setAttribute(MARK, '');
      element.setAttribute('aria-hidden', 'true');
      element.textContent = text;
      element.style.display = 'none';
      return element;
    };
    const once = (element: Element) => {
      if (element.hasAttribute('data-edited')) return false;
      element.setAttribute('data-edited', '');
      return true;
    };
    const change = () => {
      for (const field of document.querySelectorAll('input')) if (once(field)) field.after(mark('icon'));
      for (const element of document.querySelectorAll('button, h1, h2, p, dd, li, summary')) {
        if (element.closest(`[${MARK}]`) || !once(element)) continue;
        element.prepend(mark('before'));
        element.append(mark('after'));
      }
      for (const element of document.querySelectorAll('#root, main, [data-step], body')) {
        if (!once(element)) continue;
        element.prepend(mark('around'));
        element.append(mark('around'));
        (element as HTMLElement).style.setProperty('--extension', '1');
      }
    };
    new MutationObserver(change).observe(document, { childList: true, subtree: true });
  });
}

test('the wizard works beside extensions that edit it', async ({ page, wizard }) => {
  await edit(page);
  await wizard.toToken();
  await wizard.enterToken('0x12');
  await expect(wizard.redBox).toContainText('Please enter a valid token address');
  await wizard.enterToken(wizard.stack.tokens.both);
  await expect(wizard.title('amount')).toBeVisible();
  await wizard.customCard.check();
  await wizard.customInput.fill('0.1');
  await expect(page.getByText('Minimum amount is 0.25 HYPE')).toBeVisible();
  await wizard.customInput.fill('0.25');
  await expect(page.getByText('Minimum amount is 0.25 HYPE')).toHaveCount(0);
  await wizard.termsCheckbox.check();
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
  await page.reload();
  await expect(wizard.title('payment')).toBeVisible();
  await wizard.logo.click();
  await expect(page.getByRole('region', { name: 'Your recent jobs' })).toBeVisible();
});

test('an edited payment step follows the payment', async ({ page, wizard, product }) => {
  await edit(page);
  const shown: { -readonly [Name in keyof ShownPayment]: ShownPayment[Name] } = {};
  await answerPayments(page, shown);
  await page.clock.install();
  await wizard.openJob(await createJob(product));
  const flags = { underpaid: false, overpaid: false, late: false };
  for (const [change, pill] of [
    [{ waitingWei: '100000000000000000' }, 'Waiting for confirmation'],
    [{ waitingWei: undefined, receivedWei: '1', flags: { ...flags, underpaid: true } }, 'Waiting for confirmation'],
    [{ status: 'active', flags }, 'Job Active - Trading'],
    [{ paymentReceived: true }, 'Transaction Received - Job Active'],
    [{ status: 'cancelled', paymentReceived: false }, 'Job Cancelled'],
  ] as const) {
    Object.assign(shown, change);
    await page.clock.fastForward(10_000);
    await expect(wizard.pill).toContainText(pill);
    await expect(wizard.status).toContainText(pill);
  }
});

test('the terms open in a page edited before it starts', async ({ page, wizard }) => {
  await edit(page);
  await wizard.open('/terms');
  await expect(page.getByText('The service fee is 30% of the deposit').first()).toBeVisible();
  await wizard.logo.click();
  await expect(wizard.start).toBeVisible();
});
