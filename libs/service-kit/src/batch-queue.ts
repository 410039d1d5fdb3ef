import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/** A piece of work in a batch. */
export interface BatchPiece<Piece> {
  readonly piece: Piece;
  /** Runs a function in the context of this piece's caller: with its request id, its trace and its time limit. */
  readonly onBehalf: <Result>(run: () => Result) => Result;
}

/**
 * Does a batch of work. A failed piece is one rejected result among the others.
 * @returns the result of each piece, in their order
 * @throws when the whole batch failed
 */
export type BatchWork<Piece, Result> = (
  batch: readonly BatchPiece<Piece>[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

interface Waiting<Piece, Result> extends BatchPiece<Piece> {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Batches work that costs about as much for many pieces as for one, such as a transaction. Pieces that arrive during a batch
 * wait for the next one. A single piece runs immediately. A failed batch is repeated piece by piece, so that one piece
 * cannot fail the others.
 */
export class BatchQueue<Piece, Result> {
  private waiting: Waiting<Piece, Result>[] = [];
  private isAtWork = false;

  constructor(private readonly work: BatchWork<Piece, Result>) {}

  /** Does a piece of work, together with others. @throws its error */
  run(piece: Piece): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ piece, onBehalf: AsyncLocalStorage.snapshot(), resolve, reject });
      if (!this.isAtWork) void this.workOn();
    });
  }

  private async workOn(): Promise<void> {
    this.isAtWork = true;
    while (this.waiting.length > 0) {
      // Callers of the same turn of the event loop share a batch.
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
