import { MongooseError, mongo } from 'mongoose';

/** The driver's labels for failures that may pass at the next try. */
const PASSING_LABELS = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];

/** No connection of the pool became free in time; the driver does not export this class. */
const POOL_EXHAUSTED = 'MongoWaitQueueTimeoutError';

/** Mongoose buffers operations while it is not connected, and fails them after a time; it has no class for that. */
const NOT_CONNECTED = /buffering timed out/;

const OUTAGES = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoOperationTimeoutError,
];

/** Whether an error means that the database is unreachable, not that the operation itself is wrong. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof MongooseError) return NOT_CONNECTED.test(error.message);
  if (!(error instanceof mongo.MongoError)) return false;
  return (
    OUTAGES.some((kind) => error instanceof kind) ||
    error.name === POOL_EXHAUSTED ||
    PASSING_LABELS.some((label) => error.hasErrorLabel(label))
  );
}
