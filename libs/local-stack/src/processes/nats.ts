import { mkdir } from 'node:fs/promises';
import { connect } from '@nats-io/transport-node';
import { findNatsServer } from '../binaries/nats-server.ts';
import type { ServerPlace } from './mongo.ts';
import { HOST } from './ports.ts';
import { baseEnvironment, type RunningProcess, startProcess } from './running-process.ts';

/** Address of the local NATS server. */
export function natsUrl(port: number): string {
  return `nats://${HOST}:${port}`;
}

async function servesJetStream(port: number): Promise<boolean> {
  const connection = await connect({ servers: natsUrl(port), reconnect: false, timeout: 500 });
  try {
    return connection.info?.jetstream === true;
  } finally {
    await connection.close();
  }
}

/** Where a local NATS server is, and where it tells of itself over HTTP, if it does. */
export interface NatsPlace extends ServerPlace {
  monitorPort?: number;
}

/** Starts nats-server with JetStream and waits until it takes connections. */
export async function runNats(place: NatsPlace, signal?: AbortSignal): Promise<RunningProcess> {
  const command = await findNatsServer();
  await mkdir(place.dataDirectory, { recursive: true });
  return startProcess(
    {
      name: 'nats-server',
      command,
      args: [
        ...['--addr', HOST, '--port', String(place.port), '--jetstream', '--store_dir', place.dataDirectory],
        ...(place.monitorPort === undefined ? [] : ['--http_port', String(place.monitorPort)]),
      ],
      environment: baseEnvironment(),
      logFile: place.logFile,
      isReady: () => servesJetStream(place.port),
      readyTimeoutMs: 15_000,
      stopGraceMs: 5_000,
    },
    signal,
  );
}
