import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/** A piece of work in a batch. */
export interface BatchPiece<Piece> {
  readonly piece: Piece;
  /** Runs something on behalf of whoever asked for this piece: under their request id, in their trace, in the time that they wait. */
  readonly onBehalf: <Result>(run: () => Result) => Result;
}

/**
 * Does a batch of work. A piece that ends badly is one rejected end among the others.
 * @returns the end of each piece, in their order
 * @throws when nothing was done for any of them
 */
export type BatchWork<Piece, Result> = (
  batch: readonly BatchPiece<Piece>[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

interface Waiting<Piece, Result> extends BatchPiece<Piece> {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Work that costs about as much for many as for one, such as a transaction: what comes while a batch is under way waits, and is the next
 * one. Whoever comes alone waits for nobody. A batch that fails as a whole is done again piece by piece, so that one cannot spoil it for the others.
 */
export class BatchQueue<Piece, Result> {
  private waiting: Waiting<Piece, Result>[] = [];
  private isAtWork = false;

  constructor(private readonly work: BatchWork<Piece, Result>) {}

  /** Does a piece of work, with others. @throws what it ended with */
  run(piece: Piece): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ piece, onBehalf: AsyncLocalStorage.snapshot(), resolve, reject });
      if (!this.isAtWork) void this.workOn();
    });
  }

  private async workOn(): Promise<void> {
    this.isAtWork = true;
    while (this.waiting.length > 0) {
      // Those who ask in the same turn go together.
      await setImmediate();
      const batch = this.waiting;
      this.waiting = [];
      await batch[0]?.onBehalf(() => this.settle(batch));
    }
    this.isAtWork = false;
  }

  private async settle(batch: readonly Waiting<Piece, Result>[]): Promise<void> {
    try {
      const ends = await this.work(batch);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const end = ends[index];
        if (end?.status === 'fulfilled') resolve(end.value);
        else reject(end?.reason);
      }
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      for (const one of batch) await one.onBehalf(() => this.settle([one]));
    }
  }
}
