import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { responderOf } from '@maker/contracts';
import { ALL_SERVICES, findMongod, findNatsServer, freePort, type ServiceName, waitUntil } from '@maker/local-stack';
import { connect } from '@nats-io/transport-node';
import { type Document, MongoClient } from 'mongodb';

const K8S = fileURLToPath(new URL('../../k8s', import.meta.url));
const READY_MS = 30_000;
const HOST = '127.0.0.1';
const ADMIN_PASSWORD = 'admin-password';

/** A server with authentication, configured from `k8s/`. */
export interface GuardedServer {
  readonly logFile: string;
  stop(): Promise<void>;
}

/** Password of a service's user on either server. */
export const passwordOf = (service: ServiceName): string => `password-of-${service}`;

/** Options of a request with a connection of a service's user: the inbox where only the responder may answer. */
export const answeredTo = (requester: ServiceName, subject: string, timeout = 5000) => ({
  timeout,
  noMux: true,
  reply: `_INBOX.${requester}.${responderOf(subject)}.${randomBytes(16).toString('hex')}`,
});

const variable = (service: string): string => service.toUpperCase().replaceAll('-', '_');

function start(command: string, args: string[], environment: NodeJS.ProcessEnv, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  return spawn(command, args, { stdio: ['ignore', log, log], env: environment });
}

function stopper(child: ChildProcess, folder: string): () => Promise<void> {
  return async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
}

/** nats-server with the users of `k8s/nats/users.conf`. */
export async function startGuardedNats(): Promise<GuardedServer & { url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-nats-'));
  const port = await freePort();
  const configuration = join(folder, 'nats.conf');
  await writeFile(join(folder, 'users.conf'), await readFile(join(K8S, 'nats', 'users.conf')));
  await writeFile(configuration, `listen: "${HOST}:${port}"\ninclude ./users.conf\n`);
  const passwords = ALL_SERVICES.map((service) => [`NATS_${variable(service)}_PASSWORD`, passwordOf(service)]);
  const logFile = join(folder, 'nats.log');
  const environment = { ...process.env, ...Object.fromEntries(passwords) };
  const child = start(await findNatsServer(), ['--config', configuration], environment, logFile);
  const url = `nats://${HOST}:${port}`;
  const answers = async () => {
    const connection = await connect({ servers: url, user: 'job', pass: passwordOf('job'), reconnect: false });
    await connection.close();
    return true;
  };
  const stop = stopper(child, folder);
  if (await waitUntil(answers, { timeoutMs: READY_MS })) return { url, logFile, stop };
  const log = await readFile(logFile, 'utf8');
  await stop();
  throw new Error(`nats-server did not start: ${log}`);
}

/** mongod, a replica set of one with authorization, with the users of `k8s/mongodb/users.js`. */
export async function startGuardedMongo(): Promise<GuardedServer & { urlOf(service: ServiceName): string }> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-mongo-'));
  const port = await freePort();
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, randomBytes(48).toString('base64'), { mode: 0o400 });
  await mkdir(join(folder, 'data'));
  const logFile = join(folder, 'mongod.log');
  const child = start(
    await findMongod(),
    [
      ...['--replSet', 'rs0', '--dbpath', join(folder, 'data'), '--bind_ip', HOST, '--port', String(port)],
      ...['--auth', '--keyFile', keyFile, '--nounixsocket', '--wiredTigerCacheSizeGB', '0.25'],
      ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
    ],
    process.env,
    logFile,
  );
  const stop = stopper(child, folder);
  try {
    const local = `${HOST}:${port}/?directConnection=true`;
    const members = [{ _id: 0, host: `${HOST}:${port}` }];
    await initiateSet(`mongodb://${local}`, { _id: 'rs0', members }, ADMIN_PASSWORD);
    await createUsers(`mongodb://admin:${ADMIN_PASSWORD}@${local}`, passwordOf);
  } catch (error) {
    await stop();
    throw error;
  }
  const urlOf = (service: ServiceName): string => {
    const database = service.replaceAll('-', '_');
    return `mongodb://${database}:${passwordOf(service)}@${HOST}:${port}/${database}?replicaSet=rs0&authSource=${database}`;
  };
  return { logFile, stop, urlOf };
}

/** Initiates a replica set with an administrator, which a server without users permits from its own machine. */
export async function initiateSet(url: string, set: Document, adminPassword: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    const admin = client.db('admin');
    const initiated = async () => (await admin.command({ replSetInitiate: set })).ok === 1;
    if (!(await waitUntil(initiated, { timeoutMs: READY_MS }))) throw new Error('mongod did not start');
    const writable = async () => (await admin.command({ hello: 1 })).isWritablePrimary === true;
    if (!(await waitUntil(writable, { timeoutMs: READY_MS }))) throw new Error('mongod did not become primary');
    await admin.command({ createUser: 'admin', pwd: adminPassword, roles: ['root'] });
  } finally {
    await client.close();
  }
}

/** Runs `users.js` as mongosh would. @param url of the primary, as an administrator */
export async function createUsers(url: string, password: (service: ServiceName) => string): Promise<void> {
  const client = new MongoClient(url);
  const created: Promise<unknown>[] = [];
  const shell = {
    getSiblingDB: (name: string) => ({
      createUser: ({ user, ...rest }: { user: string }) =>
        created.push(client.db(name).command({ createUser: user, ...rest })),
    }),
  };
  const env = Object.fromEntries(ALL_SERVICES.map((service) => [`${variable(service)}_PASSWORD`, password(service)]));
  try {
    const script = await readFile(join(K8S, 'mongodb', 'users.js'), 'utf8');
    new Function('db', 'process', script)(shell, { env });
    await Promise.all(created);
  } finally {
    await client.close();
  }
}
