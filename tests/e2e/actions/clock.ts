import { expect, type Page } from '@playwright/test';

const MARGIN_MS = 1000;
const POLL_MS = 10_000;

/** Disables timers of this length: their message stays, while everything else continues. */
export async function holdTimers(page: Page, milliseconds: number): Promise<void> {
  await page.addInitScript((held) => {
    const start = window.setTimeout.bind(window);
    const startOrHold = (handler: TimerHandler, timeout?: number, ...rest: unknown[]) =>
      start(handler, timeout === held ? 2 ** 31 - 1 : timeout, ...rest);
    window.setTimeout = startOrHold as typeof window.setTimeout;
  }, milliseconds);
}

/**
 * Stops the page's clock, which `page.clock.install()` must have taken over; `page.clock.runFor` then advances it.
 * Up to a second passes in it before it stops.
 */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + MARGIN_MS);
}

/** Makes a job's page poll once more, and waits until it shows the answer. `page.clock.install()` must have taken over its clock. */
export async function pollAgain(page: Page): Promise<void> {
  const checked = page.getByText(/^Checked at/);
  const before = await checked.textContent();
  await page.clock.fastForward(POLL_MS);
  await expect(checked).not.toHaveText(String(before));
}
