import type { BrowserContext, ConsoleMessage } from '@playwright/test';

const FAILED_REQUEST = /^Failed to load resource:/;

/** Chromium's additional message for a failed request whose answer is no script or style sheet. */
const UNUSABLE_FILE = /^Refused to (?:execute script|apply style) from '([^']+)' because its MIME type/;

/**
 * Collects what must never happen in a visitor's browser, on every page of the context: console errors (which include reports of
 * the content security policy), uncaught exceptions and unhandled rejections.
 */
export class PageFaults {
  private readonly faults: string[] = [];
  private readonly provoked: RegExp[] = [];
  private readonly awaited: RegExp[] = [];

  constructor(context: BrowserContext) {
    context.on('weberror', (error) => this.faults.push(`uncaught: ${error.error().message}`));
    context.on('console', (message) => {
      if (message.type() !== 'error' || this.isProvoked(message)) return;
      this.faults.push(`console: ${message.text()} (${message.location().url})`);
    });
  }

  /** Ignores the browser's messages for failed requests to these addresses from now on: the test makes them fail. */
  provoke(address: RegExp): void {
    this.provoked.push(address);
  }

  /** Ignores console errors with this text from now on: the test causes them. */
  awaitError(text: RegExp): void {
    this.awaited.push(text);
  }

  /** Faults so far. */
  get seen(): readonly string[] {
    return this.faults;
  }

  private isProvoked(message: ConsoleMessage): boolean {
    const text = message.text();
    if (this.awaited.some((awaited) => awaited.test(text))) return true;
    const address = FAILED_REQUEST.test(text) ? message.location().url : UNUSABLE_FILE.exec(text)?.[1];
    return address !== undefined && this.provoked.some((provoked) => provoked.test(address));
  }
}
