/**
 * Loaded into a service before its own code (`NODE_OPTIONS=--import`): puts fail points around all output of the process. The
 * product's code does not know of it.
 */
import { isMainThread } from 'node:worker_threads';
import { FailPoints } from './fail-point.ts';
import { watchMongo } from './mongo-seam.ts';
import { watchNats } from './nats-seam.ts';
import { watchRpc } from './rpc-seam.ts';

const { FAIL_POINT_DIRECTORY: directory, FAIL_POINT_SERVICE: service } = process.env;

if (isMainThread && directory && service) {
  const points = new FailPoints(directory, service);
  const purposes = new Map<string, string>();
  watchMongo(points, (rawTransaction, purpose) => purposes.set(rawTransaction, purpose));
  watchNats(points);
  // Another process signed this transaction, so this is a repeated broadcast.
  watchRpc(points, (rawTransaction) => purposes.get(rawTransaction) ?? 'again');
}
