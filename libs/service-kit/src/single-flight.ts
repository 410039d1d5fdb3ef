/** Lets those who ask for the same thing at once share one piece of work. */
export class SingleFlight<Result> {
  private readonly underWay = new Map<string, Promise<Result>>();

  /** Does the work, or waits for the one that is under way for the same key. */
  async run(key: string, work: () => Promise<Result>): Promise<Result> {
    const shared = this.underWay.get(key);
    if (shared) return shared;
    const own = work().finally(() => this.underWay.delete(key));
    this.underWay.set(key, own);
    return own;
  }
}
