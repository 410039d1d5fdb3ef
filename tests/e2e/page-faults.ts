import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/**
 * Collects what must never happen in a visitor's browser: console errors (content security policy reports are among
 * them), uncaught exceptions and unhandled rejections, on every page of the context.
 */
export class PageFaults {
  readonly #seen: string[] = [];
  readonly #provoked: RegExp[] = [];

  constructor(context: BrowserContext) {
    context.on('weberror', (error) => this.#seen.push(`uncaught: ${error.error().message}`));
    context.on('console', (message) => {
      if (message.type() === 'error' && !this.#isProvoked(message)) this.#seen.push(`console: ${message.text()}`);
    });
  }

  /** From now on the browser's own lines for failed requests to these addresses are no faults: the test makes them fail. */
  provoke(address: RegExp): void {
    this.#provoked.push(address);
  }

  /** What was seen so far. */
  get seen(): readonly string[] {
    return this.#seen;
  }

  #isProvoked(message: ConsoleMessage): boolean {
    if (!message.text().startsWith('Failed to load resource:')) return false;
    return this.#provoked.some((address) => address.test(message.location().url));
  }
}
