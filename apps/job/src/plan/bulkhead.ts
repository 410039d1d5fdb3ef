/** Once half of the places are taken, one network may hold this part of them: 1 / 4. */
const PARTS_OF_NETWORKS = 4;

/**
 * Limits concurrent work. Work beyond the limit is refused immediately, because it would only wait and delay other work. One network
 * cannot take all places, however many addresses it has.
 */
export class Bulkhead {
  private taken = 0;
  private readonly byNetwork = new Map<string, number>();

  /** @param most limit of concurrent work */
  constructor(private readonly most: number) {}

  /**
   * Does the work if there is a free place.
   * @param full makes the error for a refusal @param network of the client; absent if it is unknown
   */
  async hold<Result>(work: () => Promise<Result>, full: () => Error, network?: string): Promise<Result> {
    if (this.taken >= this.most || this.hasShare(network)) throw full();
    this.change(network, 1);
    try {
      return await work();
    } finally {
      this.change(network, -1);
    }
  }

  private hasShare(network: string | undefined): boolean {
    if (network === undefined || 2 * this.taken < this.most) return false;
    return PARTS_OF_NETWORKS * (this.byNetwork.get(network) ?? 0) >= this.most;
  }

  private change(network: string | undefined, by: 1 | -1): void {
    this.taken += by;
    if (network === undefined) return;
    const count = (this.byNetwork.get(network) ?? 0) + by;
    if (count > 0) this.byNetwork.set(network, count);
    else this.byNetwork.delete(network);
  }
}
