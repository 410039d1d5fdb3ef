import { MongooseError, mongo } from 'mongoose';

/** Labels that the driver gives to failures of a server that may be well again at the next try. */
const PASSING_LABELS = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];

/** No connection of the pool came free in time; the driver does not export its class. */
const POOL_EXHAUSTED = 'MongoWaitQueueTimeoutError';

/** Mongoose keeps what is asked while it is not connected, and gives it up after a time; it has no class for that. */
const NOT_CONNECTED = /buffering timed out/;

const OUTAGES = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoOperationTimeoutError,
];

/** Whether an error says that the database could not be reached or asked, rather than something of what it was asked. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof MongooseError) return NOT_CONNECTED.test(error.message);
  if (!(error instanceof mongo.MongoError)) return false;
  return (
    OUTAGES.some((kind) => error instanceof kind) ||
    error.name === POOL_EXHAUSTED ||
    PASSING_LABELS.some((label) => error.hasErrorLabel(label))
  );
}
