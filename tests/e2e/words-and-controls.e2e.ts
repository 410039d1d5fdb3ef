import { parseHype } from '@maker/rules';
import type { Page } from '@playwright/test';
import { answerPayments, type ShownPayment } from './actions/api.ts';
import { createJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

/** What a step asks of a visitor: words to read, controls to understand, screens to scroll. */
async function measure(page: Page): Promise<{ words: number; controls: number; screens: number }> {
  return page.getByRole('main').evaluate((main) => {
    const isShown = (element: Element) => element.checkVisibility();
    return {
      // biome-ignore lint/performance/useDomNodeTextContent: what is folded or hidden asks nothing of a visitor
      words: (main as HTMLElement).innerText.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
      controls: [...main.querySelectorAll('button, input, select, textarea')].filter(isShown).length,
      screens: document.documentElement.scrollHeight / innerHeight,
    };
  });
}

/** Chromium without a screen has refused notifications; a visitor's own browser still asks. */
async function mayNotify(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'default' }));
}

async function expectAtMost(page: Page, words: number, controls: number): Promise<void> {
  const measured = await measure(page);
  expect(measured.words, 'words').toBeLessThanOrEqual(words);
  expect(measured.controls, 'controls').toBeLessThanOrEqual(controls);
}

const wei = (hype: string) => parseHype(hype).toString();
const FLAGS = { underpaid: false, overpaid: false, late: false };

/** What a payer may see while they wait, and a text of it. */
const WAITING: readonly (readonly [name: string, shown: ShownPayment, text: RegExp])[] = [
  ['nothing has come', {}, /^Tokens and change go to the address you pay from/],
  ['money is seen', { waitingWei: wei('0.25') }, /0\.25 HYPE seen on the network/],
  [
    'a part is missing',
    { receivedWei: wei('0.1'), flags: { ...FLAGS, underpaid: true } },
    /0\.1 of 0\.25 HYPE received/,
  ],
  ['HYPE is on HyperCore', { hyperCoreWei: wei('0.25') }, /^0\.25 HYPE came on HyperCore/],
  [
    'tokens are at the address',
    { foundTokens: [{ tokenAddress: `0x${'55'.repeat(20)}`, amount: wei('0.25'), symbol: 'WHYPE', decimals: 18 }] },
    /^0\.25 WHYPE came here/,
  ],
  ['an address is named', { namedReturnAddress: `0x${'Ab'.repeat(20)}` }, /^0xAbAb/],
];

for (const viewport of [PHONE, DESKTOP]) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport });

    test('landing and token step are short', async ({ page, wizard }) => {
      await wizard.open();
      await expectAtMost(page, 60, 1);
      await wizard.start.click();
      await expect(wizard.title('token')).toBeVisible();
      await expectAtMost(page, 60, 3);
    });

    test('the amount step is short after a choice', async ({ page, wizard }) => {
      await wizard.toAmount();
      await page.getByText('Moderate Boost').click();
      await expect(page.getByText(/^About .* orders, done by /)).toBeVisible();
      await expectAtMost(page, 120, 8);
    });

    test('the amount step is short for a partial budget', async ({ page, wizard }) => {
      await wizard.toAmount();
      await wizard.chooseCustom('1000');
      await expect(page.getByText(/^This pool can use about/)).toBeVisible();
      // The split is unfolded, and beside what a preset has there are the chosen budget's field and the offered one.
      await expectAtMost(page, 165, 10);
    });

    for (const [name, shown, text] of WAITING) {
      test(`the payment step is short while ${name}`, async ({ page, wizard, product }) => {
        await mayNotify(page);
        await answerPayments(page, shown);
        await wizard.openJob(await createJob(product));
        await expect(wizard.pill).toHaveText('Waiting for confirmation');
        await expect(page.getByText(text)).toBeVisible();
        await expect(page.getByText('Schedule and notifications')).toBeVisible();
        await expectAtMost(page, 150, 4);
      });
    }
  });
}

test.describe('the payment step on a phone', () => {
  test.use({ viewport: PHONE });

  for (const [name, shown, text] of WAITING) {
    test(`is at most 1.6 screens while ${name}`, async ({ page, wizard, product }) => {
      await mayNotify(page);
      await answerPayments(page, shown);
      await wizard.openJob(await createJob(product));
      await expect(page.getByText(text)).toBeVisible();
      for (const button of ['Copy Amount', 'Copy Address']) {
        const copy = page.getByRole('button', { name: button });
        // What is seen already is asked for no more.
        if (button === 'Copy Amount' && shown.waitingWei !== undefined) await expect(copy).toHaveCount(0);
        else await expect(copy).toBeInViewport({ ratio: 1 });
      }
      expect((await measure(page)).screens).toBeLessThanOrEqual(1.6);
    });
  }
});
