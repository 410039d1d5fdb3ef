/** Windows of requests by key while they last, not more than a number of them: the oldest go first. */
export class BoundedWindows<Window extends { readonly expiresAtMs: number }> {
  private readonly windows = new Map<string, Window>();

  /** @param now ms since 1970 */
  constructor(
    private readonly maxWindows: number,
    private readonly now: () => number,
  ) {}

  /** The window of a key; undefined when there is none or it is over. */
  get(key: string): Window | undefined {
    const window = this.windows.get(key);
    return window && window.expiresAtMs > this.now() ? window : undefined;
  }

  set(key: string, window: Window): void {
    this.windows.delete(key);
    this.windows.set(key, window);
    for (const [oldest, { expiresAtMs }] of this.windows) {
      if (this.windows.size <= this.maxWindows && expiresAtMs > this.now()) break;
      this.windows.delete(oldest);
    }
  }

  get size(): number {
    return this.windows.size;
  }
}
