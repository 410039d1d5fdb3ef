/** Shares one piece of work among concurrent callers with the same key. */
export class SingleFlight<Result> {
  private readonly underWay = new Map<string, Promise<Result>>();

  /** Does the work, or waits for the same key's work in progress. */
  async run(key: string, work: () => Promise<Result>): Promise<Result> {
    const shared = this.underWay.get(key);
    if (shared) return shared;
    const own = work().finally(() => this.underWay.delete(key));
    this.underWay.set(key, own);
    return own;
  }
}
