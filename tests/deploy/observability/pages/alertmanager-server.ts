import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@maker/local-stack';
import { alertmanagerConfiguration, type Waits } from '../alertmanager-configuration.ts';

/** Names of the program: Alertmanager's own, and Debian's. */
const PROGRAMS = [process.env.ALERTMANAGER, 'alertmanager', 'prometheus-alertmanager'];

/** A notification of Alertmanager to a receiver. */
export interface Notification {
  readonly receiver: 'page' | 'note' | 'deadMansSwitch';
  readonly status: 'firing' | 'resolved';
  readonly alerts: readonly { readonly status: string; readonly labels: Readonly<Record<string, string>> }[];
  /** Time of arrival, ms. */
  readonly at: number;
}

/** Alertmanager with the chart's routes and inhibitions, and all receivers. */
export interface AlertmanagerServer {
  /** Address for Prometheus' alerts, as host:port. */
  readonly host: string;
  /** All notifications, oldest first. */
  readonly notifications: readonly Notification[];
  stop(): Promise<void>;
}

/** @throws Error with how to install it */
function program(): string {
  for (const name of PROGRAMS) {
    if (!name) continue;
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return name;
    } catch {
      // A second free port.
    }
  }
  throw new Error(
    'alertmanager is missing. On Debian: apt-get install --no-install-recommends prometheus-alertmanager; or name it in ALERTMANAGER.',
  );
}

/** Starts it. @param waits the chart's by default */
export async function startAlertmanager(waits?: Waits): Promise<AlertmanagerServer> {
  const notifications: Notification[] = [];
  const ears = createServer(async (request, response) => {
    const body = await new Response(request as unknown as ReadableStream).text();
    const receiver = (request.url ?? '').slice(1) as Notification['receiver'];
    notifications.push({ receiver, at: Date.now(), ...JSON.parse(body) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(ears, 'listening');
  const { port: earsPort } = ears.address() as AddressInfo;
  const to = (receiver: string) => ({
    webhook_configs: [{ url: `http://127.0.0.1:${earsPort}/${receiver}`, send_resolved: true }],
  });
  const receivers = { page: to('page'), note: to('note'), deadMansSwitch: to('deadMansSwitch') };
  const configuration = alertmanagerConfiguration(receivers, waits);
  const directory = await mkdtemp(join(tmpdir(), 'maker-alertmanager-'));
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  await writeFile(join(directory, 'alertmanager.yaml'), JSON.stringify(configuration));
  const log = await open(join(directory, 'alertmanager.log'), 'w');
  const args = [
    `--config.file=${join(directory, 'alertmanager.yaml')}`,
    `--storage.path=${join(directory, 'data')}`,
    `--web.listen-address=${host}`,
    '--cluster.listen-address=',
  ];
  const server = spawn(program(), args, { stdio: ['ignore', log.fd, log.fd] });
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    ears.close();
    await log.close();
    await rm(directory, { recursive: true, force: true });
  };
  const ready = await waitUntil(async () => (await fetch(`http://${host}/-/ready`)).ok, { timeoutMs: 30_000 });
  if (ready) return { host, notifications, stop };
  await stop();
  throw new Error('alertmanager is not ready');
}
