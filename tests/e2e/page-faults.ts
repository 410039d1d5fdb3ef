import type { Page } from '@playwright/test';

/**
 * Collects what must never happen in a visitor's browser: console errors (content security policy reports are
 * among them), uncaught exceptions and unhandled rejections.
 * @returns a function that gives what was seen so far
 */
export function watchPage(page: Page): () => string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  return () => [...faults];
}
