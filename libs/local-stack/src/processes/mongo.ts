import { mkdir } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { findMongod } from '../binaries/mongod.ts';
import { HOST } from './ports.ts';
import { baseEnvironment, type RunningProcess, startProcess } from './running-process.ts';
import { waitUntil } from './wait-until.ts';

/** Where a local server keeps its data and writes its log. */
export interface ServerPlace {
  port: number;
  dataDirectory: string;
  logFile: string;
}

const REPLICA_SET = 'rs0';
const READY_TIMEOUT_MS = 30_000;

/** Connection string of a database on the local replica set; without a name, of the server. */
export function mongoUrl(port: number, database = ''): string {
  return `mongodb://${HOST}:${port}/${database}?replicaSet=${REPLICA_SET}`;
}

/** The same through a proxy's port: a client that asks the server for its address would connect to it past the proxy. */
export function mongoUrlThrough(port: number, database: string): string {
  return `mongodb://${HOST}:${port}/${database}?directConnection=true`;
}

/** Makes the server a replica set of one and waits until it accepts writes: transactions need a replica set. */
async function initiate(port: number, signal: AbortSignal | undefined): Promise<void> {
  const client = new MongoClient(`mongodb://${HOST}:${port}/?directConnection=true`);
  try {
    const admin = client.db('admin');
    const members = [{ _id: 0, host: `${HOST}:${port}` }];
    try {
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
    } catch (error) {
      // An earlier run may have written kept data under another port.
      if ((error as { codeName?: string }).codeName !== 'AlreadyInitialized') throw error;
      const { config } = await admin.command({ replSetGetConfig: 1 });
      if (config.members[0].host !== members[0]?.host) {
        const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], ...members[0] }] };
        await admin.command({ replSetReconfig: moved, force: true });
      }
    }
    const writable = await waitUntil(async () => (await admin.command({ hello: 1 })).isWritablePrimary === true, {
      timeoutMs: READY_TIMEOUT_MS,
      signal,
    });
    if (!writable) throw new Error('mongod did not become primary of its replica set');
  } finally {
    await client.close();
  }
}

async function answers(port: number): Promise<boolean> {
  const client = new MongoClient(`mongodb://${HOST}:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500,
  });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } finally {
    await client.close();
  }
}

/** Starts mongod as a journaled single-node replica set and waits until it accepts writes. */
export async function runMongo(place: ServerPlace, signal?: AbortSignal): Promise<RunningProcess> {
  const command = await findMongod();
  await mkdir(place.dataDirectory, { recursive: true });
  const running = await startProcess(
    {
      name: 'mongod',
      command,
      args: [
        ...['--replSet', REPLICA_SET, '--dbpath', place.dataDirectory],
        ...['--bind_ip', HOST, '--port', String(place.port), '--nounixsocket'],
        ...['--wiredTigerCacheSizeGB', '0.5', '--quiet'],
        // By default mongod preallocates its journal in three files of 100 MB each: too much when a dozen of them run.
        ...['--wiredTigerEngineConfigString', 'log=(file_max=8MB,prealloc=false)'],
        ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
        // A killed process's open transaction locks its rows for this time; the default is a minute.
        ...['--setParameter', 'transactionLifetimeLimitSeconds=10'],
        // A single node cannot hand over to another one: without this it waits 15 s before it stops.
        ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
      ],
      environment: baseEnvironment(),
      logFile: place.logFile,
      isReady: () => answers(place.port),
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopGraceMs: 10_000,
    },
    signal,
  );
  try {
    await initiate(place.port, signal);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}
