/**
 * Pieces of work of one process, one after the other in the order in which they came; one that fails holds up none. So many wait,
 * and no more: what would wait too long is refused at once.
 */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** @param mostWaiting pieces of work, with the one that is under way */
  constructor(private readonly mostWaiting: number) {}

  /** Does the work when all before it has ended. @param full the error where there is no place any more */
  async run<Result>(work: () => Promise<Result>, full: () => Error): Promise<Result> {
    if (this.waiting >= this.mostWaiting) throw full();
    this.waiting += 1;
    const result = this.last.then(work, work).finally(() => {
      this.waiting -= 1;
    });
    this.last = result.catch(() => undefined);
    return result;
  }
}
