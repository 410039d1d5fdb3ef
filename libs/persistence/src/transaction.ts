import type { ClientSession, Connection } from 'mongoose';

const COMMITTED = 'maker:committed';

/**
 * Runs writes as one: all or none, majority and journaled, tried again on a write conflict. Pass the session to
 * every operation inside; keep anything but database work outside, since the function may run more than once.
 * @returns what the function returned in the run that was committed
 */
export async function inTransaction<Result>(
  connection: Connection,
  write: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const session = await connection.startSession();
  try {
    const result = await session.withTransaction(() => write(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', j: true },
    });
    connection.emit(COMMITTED, session);
    return result;
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
