import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { JOB_MS, SCREEN_STATES } from './actions/screens.ts';
import { expect, test } from './fixtures.ts';

const SIZES = {
  narrow: { width: 320, height: 640 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Folder of the pictures; without it the tests take none. */
const { SCREENS } = process.env;

// Each state is a separate test, so that both workers take part.
test.describe.configure({ mode: 'parallel' });
test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

for (const state of SCREEN_STATES) {
  test(`${state.name}: is accessible in both themes`, async ({ page, wizard, product, faults }) => {
    if (state.slow) test.setTimeout(test.info().timeout + JOB_MS);
    await state.show({ page, wizard, product, faults });
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of ['narrow', 'desktop'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(SIZES[size]);
        await expectNoOverflow(page);
        const { violations } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
      }
    }
    if (SCREENS) await keepPictures(page, state.name, state.dark ?? false, SCREENS);
  });
}

async function expectNoOverflow(page: Page): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(scrollWidth, `nothing sticks out at ${clientWidth} px`).toBeLessThanOrEqual(clientWidth);
}

async function keepPictures(page: Page, name: string, dark: boolean, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const colorScheme of dark ? (['light', 'dark'] as const) : (['light'] as const)) {
    for (const size of ['phone', 'desktop'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(SIZES[size]);
      const suffix = colorScheme === 'dark' ? '-dark' : '';
      await page.screenshot({ path: join(directory, `${name}-${size}${suffix}.png`), fullPage: true, scale: 'css' });
    }
  }
}

test('with reduced motion nothing moves and no step fades', async ({ page, wizard }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await wizard.open();
  const moving = () =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  expect(await moving()).toBe(0);
  await wizard.start.click();
  await expect(wizard.title('token')).toBeVisible();
  await expect(wizard.step).toHaveCSS('transition-duration', '0s');
  expect(await moving()).toBe(0);
  await wizard.toPayment();
  await expect(wizard.pill).toBeVisible();
  expect(await moving()).toBe(0);
});
