/** Windows of requests by key, with a limited number of entries. It removes ended windows, and the oldest beyond the limit. */
export class BoundedWindows<Window extends { readonly expiresAtMs: number }> {
  private readonly windows = new Map<string, Window>();

  /** @param now a clock that only goes forward, ms */
  constructor(
    private readonly maxWindows: number,
    private readonly now: () => number,
  ) {}

  /** The window of a key; undefined if there is none or it has ended. */
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
