import type { Page } from '@playwright/test';
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

    test('the payment step is short while it waits', async ({ page, wizard, product }) => {
      await mayNotify(page);
      await wizard.openJob(await createJob(product));
      await expect(wizard.pill).toHaveText('Waiting for confirmation');
      await expect(page.getByText(/^Tokens and change go to/)).toBeVisible();
      await expect(page.getByText('Schedule and notifications')).toBeVisible();
      await expectAtMost(page, 150, 4);
    });
  });
}

test.describe('the payment step on a phone', () => {
  test.use({ viewport: PHONE });

  test('shows amount and address first, within 1.6 screens', async ({ page, wizard, product }) => {
    await mayNotify(page);
    await wizard.openJob(await createJob(product));
    await expect(page.getByText(/^Tokens and change go to/)).toBeVisible();
    for (const name of ['Copy Amount', 'Copy Address']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? PHONE.height), name).toBeLessThanOrEqual(PHONE.height);
    }
    expect((await measure(page)).screens).toBeLessThanOrEqual(1.6);
  });
});
