import { setTimeout as wait } from 'node:timers/promises';
import type { Readiness } from '@maker/service-kit';
import mongoose, { type Connection } from 'mongoose';
import type { Logger } from 'pino';

const READY = 1;

const RETRY_MS = 1000;

/**
 * Time limits of the connection: a network may lose a connection without an error. A heartbeat checks the server every few seconds, so
 * that the driver closes all lost connections together. A single command gets more time than any should need.
 */
const LIMITS = {
  serverSelectionTimeoutMS: 5000,
  connectTimeoutMS: 5000,
  heartbeatFrequencyMS: 5000,
  waitQueueTimeoutMS: 5000,
  socketTimeoutMS: 10_000,
} as const;

/** Opens the connection, retries until the server is available, and adds it to readiness. */
export async function openConnection(url: string, logger: Logger, readiness: Readiness): Promise<Connection> {
  for (;;) {
    const connection = mongoose.createConnection(url, {
      w: 'majority',
      journal: true,
      readConcernLevel: 'majority',
      autoIndex: false,
      monitorCommands: true,
      ...LIMITS,
    });
    try {
      await connection.asPromise();
      readiness.add('mongo', async () => {
        if (connection.readyState !== READY) throw new Error('not connected');
        await connection.db?.command({ ping: 1 });
      });
      return connection;
    } catch (error) {
      logger.warn({ err: error }, `MongoDB not reached, retrying in ${RETRY_MS} ms`);
      await connection.destroy();
      await wait(RETRY_MS);
    }
  }
}
