import { type Connection, mongo } from 'mongoose';
import { describe, expect, it, vi } from 'vitest';
import { inTransaction } from './transaction.ts';

/** A server that aborts every transaction, as it does with a long one. @returns number of runs of the work */
async function undoneEachTime(secondsOfOne: number): Promise<number> {
  const clock = vi.spyOn(performance, 'now');
  let nowMs = 0;
  let count = 0;
  clock.mockImplementation(() => nowMs);
  const session = {
    endSession: async () => undefined,
    withTransaction: async (write: () => Promise<void>) => {
      for (;;) {
        try {
          return await write();
        } catch (error) {
          if (!(error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError'))) throw error;
        }
      }
    },
  };
  const connection = { startSession: async () => session, emit: () => true } as unknown as Connection;
  const undone = new mongo.MongoServerError({ message: 'undone', errorLabels: ['TransientTransactionError'] });
  const work = inTransaction(connection, async () => {
    count += 1;
    nowMs += secondsOfOne * 1000;
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  clock.mockRestore();
  return count;
}

describe('inTransaction', () => {
  it('gives up a transaction after repeated aborts', async () => {
    expect(await undoneEachTime(10)).toBe(3);
    expect(await undoneEachTime(31)).toBe(1);
  });
});
