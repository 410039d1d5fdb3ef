import type { ClientSession, Connection } from 'mongoose';

const COMMITTED = 'maker:committed';

/** No retry starts after this time, ms: otherwise a transaction that MongoDB aborts for its length would be retried for two minutes. */
const LAST_BEGIN_MS = 30_000;

/** Wraps an error so that the driver does not retry. */
class GivenUpError extends Error {}

/**
 * Runs writes in one transaction: all or none, majority and journaled, with retries on a write conflict for 30 s. Pass the session to
 * every operation inside. Keep all other work outside, because the function may run more than once.
 * @returns the function's result in the committed run
 */
export async function inTransaction<Result>(
  connection: Connection,
  write: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const session = await connection.startSession();
  const beganAt = performance.now();
  const attempt = async (): Promise<Result> => {
    try {
      return await write(session);
    } catch (cause) {
      throw performance.now() - beganAt < LAST_BEGIN_MS ? cause : new GivenUpError('', { cause });
    }
  };
  try {
    const result = await session.withTransaction(attempt, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', j: true },
    });
    connection.emit(COMMITTED, session);
    return result;
  } catch (error) {
    throw error instanceof GivenUpError ? error.cause : error;
  } finally {
    await session.endSession();
  }
}

/** Calls a listener, with its session, after each transaction that {@link inTransaction} committed on this connection. */
export function onCommit(connection: Connection, listener: (session: ClientSession) => void): void {
  connection.on(COMMITTED, listener);
}

const DUPLICATE_KEY = 11_000;

/** Whether an error is Mongo's refusal of a second row with the same unique key. */
export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === DUPLICATE_KEY;
}
