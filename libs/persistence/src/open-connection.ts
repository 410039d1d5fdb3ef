import { setTimeout as wait } from 'node:timers/promises';
import type { Readiness } from '@maker/service-kit';
import mongoose, { type Connection } from 'mongoose';
import type { Logger } from 'pino';

const READY = 1;

const RETRY_MS = 1000;

/**
 * No answer is waited for without an end: a network may lose a connection and tell nobody. The server is asked every few seconds
 * whether it is there, so that connections that are lost are all given up together; a command of its own gets longer than
 * any should take.
 */
const LIMITS = {
  serverSelectionTimeoutMS: 5000,
  connectTimeoutMS: 5000,
  heartbeatFrequencyMS: 5000,
  waitQueueTimeoutMS: 5000,
  socketTimeoutMS: 10_000,
} as const;

/** Opens the connection, however long the server takes to be there, and makes it a condition of readiness. */
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
