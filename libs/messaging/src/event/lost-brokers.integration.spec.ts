import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { jobStatusChanged } from '@maker/contracts';
import { findNatsServer, freePort, openDatabases, type TestDatabases } from '@maker/local-stack';
import { startServer } from '@maker/messaging/testing';
import { Connection, inTransaction } from '@maker/persistence';
import { createLogger } from '@maker/service-kit';
import { connect } from '@nats-io/transport-node';
import type { INestMicroservice } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectionOptions } from '../connection/nats-configuration.ts';

import { serviceModule } from '../service-module.ts';
import { EventConsumer } from './event-consumer.ts';
import { Outbox } from './outbox.ts';

const HOST = '127.0.0.1';
const JOB = `job_${'a'.repeat(32)}`;
/** Time that an event may take longer than without an outage, once a server answers, ms. */
const LATER_MS = 1000;
/** An event without an outage, on a busy machine, ms. */
const USUAL_MS = 1000;
const OUTAGE_MS = Number(process.env.NATS_OUTAGE_MS ?? 5000);

/** One server of a cluster of three without storage. */
class Broker {
  private process: ChildProcess | undefined;

  constructor(
    readonly port: number,
    private readonly route: number,
    private readonly routes: readonly number[],
  ) {}

  get url(): string {
    return `nats://${HOST}:${this.port}`;
  }

  async start(): Promise<void> {
    const others = this.routes.map((port) => `nats://${HOST}:${port}`).join(',');
    const own = ['--addr', HOST, '--port', String(this.port), '--cluster_name', 'test'];
    const cluster = ['--cluster', `nats://${HOST}:${this.route}`, '--routes', others];
    this.process = spawn(await findNatsServer(), [...own, ...cluster], { stdio: 'ignore' });
    const answers = () => connect({ servers: this.url, reconnect: false }).then((one) => one.close().then(() => true));
    await vi.waitUntil(() => answers().catch(() => false), { timeout: 10_000, interval: 20 });
  }

  async stop(): Promise<void> {
    if (!this.process) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    this.process = undefined;
  }
}

let mongo: TestDatabases;
let brokers: readonly Broker[];
let source: INestMicroservice;
let consumer: INestMicroservice;
const appliedAtMs = new Map<string, number>();

async function start(service: 'job' | 'payment-watcher'): Promise<INestMicroservice> {
  const nats = { NATS_URL: brokers.map(({ url }) => url) };
  const common = { LOG_LEVEL: 'fatal', LISTEN_HOST: HOST, OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 } as const;
  const parts = { mongoUrl: mongo.urlOf(service), events: service };
  const tested = serviceModule(service, { ...common, ...nats }, createLogger(service, 'fatal'), parts);
  return startServer(tested, { ...connectionOptions(service, nats), queue: service });
}

beforeAll(async () => {
  mongo = openDatabases();
  const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
  const routes = ports.slice(3);
  brokers = ports.slice(0, 3).map((port, index) => new Broker(port, routes[index] as number, routes));
  await Promise.all(brokers.map((broker) => broker.start()));
  source = await start('job');
  consumer = await start('payment-watcher');
  consumer.get(EventConsumer).on('job', jobStatusChanged, async ({ id }) => {
    if (!appliedAtMs.has(id)) appliedAtMs.set(id, performance.now());
  });
  // The first event waits for the handler above.
  await latencyMs();
}, 60_000);

afterAll(async () => {
  await Promise.all([source?.close(), consumer?.close()]);
  await Promise.all((brokers ?? []).map((broker) => broker.stop()));
  await mongo?.stop();
});

/** Records an event. @returns a promise of the time when it is applied, ms */
async function record(): Promise<() => Promise<number>> {
  const outbox = source.get(Outbox);
  const event = outbox.prepare(jobStatusChanged, { jobId: JOB, data: { from: 'pending_payment', to: 'active' } });
  await inTransaction(source.get(Connection), (session) => outbox.insert([event], session));
  return () => vi.waitUntil(() => appliedAtMs.get(event.id), { timeout: 30_000, interval: 5 });
}

async function latencyMs(): Promise<number> {
  const recordedAtMs = performance.now();
  const applied = await record();
  return (await applied()) - recordedAtMs;
}

describe('a cluster of three NATS servers', () => {
  it.each([0, 1, 2])('delivers while server %i is away', { timeout: 60_000 }, async (index) => {
    const broker = brokers[index] as Broker;
    await broker.stop();
    const away = await latencyMs();
    await broker.start();
    const back = await latencyMs();
    expect(Math.max(away, back)).toBeLessThan(USUAL_MS + LATER_MS);
  });

  it('delivers soon after all were away', { timeout: 120_000 + OUTAGE_MS }, async () => {
    await Promise.all(brokers.map((broker) => broker.stop()));
    const applied = await record();
    await wait(OUTAGE_MS);
    await Promise.all(brokers.map((broker) => broker.start()));
    const answeredAtMs = performance.now();
    const later = (await applied()) - answeredAtMs;
    expect(later).toBeLessThan(USUAL_MS + LATER_MS);
  });
});
