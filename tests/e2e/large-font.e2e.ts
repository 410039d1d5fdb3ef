import type { Page } from '@playwright/test';
import { createJob, paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

/** Width of a phone, and of the narrowest page that WCAG 1.4.10 names; CSS px. */
const WIDTHS = [320, 390];
/** Browsers' settings for the size of text, px. */
const SIZES = [20, 24, 32];

/** Also finds what the shell clips at the edge of the page, but not a table in its own scrolling box. */
async function expectNoSidewaysScroll(page: Page, step: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    for (const size of SIZES) {
      await page.evaluate((px) => document.documentElement.style.setProperty('font-size', `${px}px`), size);
      const wide = await page.evaluate(() => {
        const isClipped = (element: Element): boolean => {
          const box = element.parentElement;
          if (!box || box === document.body) return false;
          return /auto|scroll|hidden/.test(getComputedStyle(box).overflowX) || isClipped(box);
        };
        return [...document.querySelectorAll('body *')]
          .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden="true"]'))
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !isClipped(element))
          .map((element) => `${element.tagName} ${element.className}`);
      });
      expect.soft(wide, `${step} at ${size} px in ${width} px`).toEqual([]);
    }
  }
}

test('no step scrolls sideways with large text', async ({ page, wizard, product }) => {
  await wizard.open();
  await expectNoSidewaysScroll(page, 'landing');
  await wizard.toAmount();
  await expectNoSidewaysScroll(page, 'amount');
  await page.goto(`${wizard.stack.shellUrl}/terms`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoSidewaysScroll(page, 'terms');
  const { jobId } = await createJob(product);
  await page.goto(`${wizard.stack.shellUrl}/#${jobId}`);
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  await page.getByText('Schedule and private code').click();
  await expect(page.getByLabel('Private code')).toBeVisible();
  await expectNoSidewaysScroll(page, 'waiting payment');
  await page.goto(`${wizard.stack.shellUrl}/#${paidJob().jobId}`);
  await expect(page.getByRole('region', { name: 'Live receipt' }).getByRole('row')).not.toHaveCount(0);
  await expectNoSidewaysScroll(page, 'receipt');
});

test('the token step takes a pasted address with invisible characters', async ({ page, wizard }) => {
  await wizard.toToken();
  await expectNoSidewaysScroll(page, 'token');
  const field = page.getByPlaceholder('0x...');
  await field.fill(`\u200e\ufeff ${[...wizard.stack.tokens.both].join('\u200b\u00ad')}\u2060\u202c`);
  await expect(field).toHaveValue(wizard.stack.tokens.both);
  expect(Number.parseFloat(await field.evaluate((input) => getComputedStyle(input).fontSize))).toBeGreaterThanOrEqual(
    16,
  );
  await wizard.validate.click();
  await expect(page.getByText('Token validated successfully! Proceeding...')).toBeVisible();
});
