import { existsSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { chromium } from '@playwright/test';
import { findChromium } from '../../../tools/chromium.ts';

/** Playwright answers this origin from files: no server listens there. */
const ORIGIN = 'http://docs.test';
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** One page per form: the first page, diagrams, tables, pictures, code, lists. */
const PAGES = ['index', 'try-it', 'architecture', 'integrate', 'errors', 'contributing', 'runbooks/money-held'];
/** A phone and a desktop, each with one colour scheme. */
const VIEWS = [
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { viewport: { width: 1280, height: 720 }, colorScheme: 'light' },
] as const;

/**
 * Checks the site's pages with axe.
 * @param built folder of the built site
 * @returns one line for each fault
 */
export async function accessibilityFaults(built: string): Promise<string[]> {
  const browser = await chromium.launch({
    executablePath: await findChromium('shell', () => console.log('… installing Chromium')),
    args: ['--no-sandbox'],
  });
  const faults: string[] = [];
  try {
    for (const view of VIEWS) {
      const context = await browser.newContext({ ...view, reducedMotion: 'reduce' });
      await context.route('**', (route) => {
        const url = new URL(route.request().url());
        const path = join(built, url.pathname);
        return url.origin === ORIGIN && existsSync(path) ? route.fulfill({ path }) : route.abort();
      });
      const page = await context.newPage();
      for (const name of PAGES) {
        await page.goto(`${ORIGIN}/${name}.html`);
        await page.locator('.VPContent').waitFor();
        const { violations } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze();
        for (const { id, nodes } of violations)
          faults.push(`${name} (${view.colorScheme}): ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return faults;
}
