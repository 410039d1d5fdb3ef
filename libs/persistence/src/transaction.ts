import type { ClientSession, Connection } from 'mongoose';

const COMMITTED = 'maker:committed';

/** No transaction is begun again after this time, ms: one that MongoDB ends for its length would be tried for two minutes. */
const LAST_BEGIN_MS = 30_000;

/** Carries an error past the driver, which would try again. */
class GivenUpError extends Error {}

/**
 * Runs writes as one: all or none, majority and journaled, tried again on a write conflict for 30 s. Pass the session to
 * every operation inside; keep anything but database work outside, since the function may run more than once.
 * @returns what the function returned in the run that was committed
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
