/** Pieces of work of one process, one after the other in the order in which they came; one that fails holds up none. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Does the work when all before it has ended. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work, work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
