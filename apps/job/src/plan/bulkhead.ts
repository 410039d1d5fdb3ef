/**
 * A door that lets so many in at once, and no more: who would only wait, and make the others wait, is refused before anything is
 * done for it.
 */
export class Bulkhead {
  private taken = 0;

  /** @param most pieces of work at once */
  constructor(private readonly most: number) {}

  /** Does the work at once where there is a place for it. @param full the error where there is none */
  async hold<Result>(work: () => Promise<Result>, full: () => Error): Promise<Result> {
    if (this.taken >= this.most) throw full();
    this.taken += 1;
    try {
      return await work();
    } finally {
      this.taken -= 1;
    }
  }
}
