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

async function answers(port: number): Promise<boolean> {
  const connection = await connect({ servers: natsUrl(port), reconnect: false, timeout: 500 });
  await connection.close();
  return true;
}

/**
 * Until the server detects a lost client, which takes four minutes by default, it sends requests to it
 * (docs/adr/0023). These settings have no flag.
 */
const CONFIGURATION = 'ping_interval: "5s"\nping_max: 2\n';

/** Starts nats-server and waits until it accepts connections. */
export async function runNats(place: ServerPlace, signal?: AbortSignal): Promise<RunningProcess> {
  const command = await findNatsServer();
  await mkdir(place.dataDirectory, { recursive: true });
  const configuration = join(place.dataDirectory, 'nats-server.conf');
  await writeFile(configuration, CONFIGURATION);
  return startProcess(
    {
      name: 'nats-server',
      command,
      args: ['--config', configuration, '--addr', HOST, '--port', String(place.port)],
      environment: baseEnvironment(),
      logFile: place.logFile,
      isReady: () => answers(place.port),
      readyTimeoutMs: 15_000,
      stopGraceMs: 5_000,
    },
    signal,
  );
}
