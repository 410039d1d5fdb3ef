import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Ports and files of a local NATS server, with the HTTP port of its monitoring, if any. */
export interface NatsPlace extends ServerPlace {
  monitorPort?: number;
}

/**
 * Until the server detects a lost client, which takes four minutes by default, it sends requests to it
 * (docs/adr/0023). These settings have no flag.
 */
const CONFIGURATION = 'ping_interval: "5s"\nping_max: 2\n';

/** Starts nats-server with JetStream and waits until it accepts connections. */
export async function runNats(place: NatsPlace, signal?: AbortSignal): Promise<RunningProcess> {
  const command = await findNatsServer();
  await mkdir(place.dataDirectory, { recursive: true });
  const configuration = join(place.dataDirectory, 'nats-server.conf');
  await writeFile(configuration, CONFIGURATION);
  return startProcess(
    {
      name: 'nats-server',
      command,
      args: [
        ...['--config', configuration, '--addr', HOST, '--port', String(place.port)],
        ...['--jetstream', '--store_dir', place.dataDirectory],
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
