/**
 * Limits concurrent work. Work beyond the limit is refused immediately, because it would only wait and delay other work.
 */
export class Bulkhead {
  private taken = 0;

  /** @param most limit of concurrent work */
  constructor(private readonly most: number) {}

  /** Does the work if there is a free place. @param full makes the error for a refusal */
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
