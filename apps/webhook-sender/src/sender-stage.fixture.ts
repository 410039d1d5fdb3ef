import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listWebhookDeliveries } from '@maker/contracts';
import { type NatsPart, openDatabases, startNats, type TestDatabases } from '@maker/local-stack';
import { SystemClock } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { WatchedEndpoints } from './endpoint/watched-endpoints.ts';
import { type Received, Receiver } from './receiver.fixture.ts';
import { FakeJobService, type Servers, startSender } from './webhook-sender.fixture.ts';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** Long enough for retries with growing pauses on a busy machine. */
export const PATIENT = { timeout: 40_000, interval: 50 };
export const ACTIVATED = { from: 'pending_payment', to: 'active' } as const;

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
export const newJob = () => `job_${randomBytes(16).toString('hex')}`;
export const newJobs = (count: number) => Array.from({ length: count }, newJob);

export const idsOf = ({ received }: Receiver) => [...new Set(received.map(({ id }) => id))].sort();

/**
 * A fake job service, a sender and a receiver with the endpoint `shop`, for all tests of a file. Ready from the first test.
 * @param timeoutMs the product's by default: on a busy machine, an attempt that times out delays its message
 */
export function stageForFile(timeoutMs?: number) {
  let folder: string;
  let mongo: TestDatabases;
  let nats: NatsPart;
  let servers: Servers;
  let job: FakeJobService;
  let receiver: Receiver;
  let secret: string;
  let shop: string;
  let round = 0;
  const senders: INestMicroservice[] = [];

  /** The services' clock. `Date.now` stays right: after a jump, Mongoose would wait up to 5 s for a heartbeat of the database. */
  let shiftMs = 0;
  const now = () => Date.now() + shiftMs;
  const laterBy = (ms: number) => {
    shiftMs += ms;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'maker-webhooks-'));
    mongo = openDatabases();
    nats = await startNats();
    servers = {
      natsUrl: nats.url,
      senderMongoUrl: mongo.urlOf('webhook_sender'),
      jobMongoUrl: mongo.urlOf('job'),
      endpointsFile: join(folder, 'endpoints.json'),
    };
    vi.spyOn(SystemClock.prototype, 'now').mockImplementation(now);
    writeFileSync(servers.endpointsFile, '[]');
    job = await FakeJobService.start(servers);
    senders.push(await startSender(servers, timeoutMs));
  });

  afterAll(async () => {
    await Promise.all(senders.map((sender) => sender.close()));
    await job?.stop();
    await Promise.all([mongo?.stop(), nats?.stop()]);
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    receiver = await new Receiver().start();
    secret = newSecret();
    shop = `shop-${round++}`;
    await endpoints({ name: shop, url: receiver.url, secrets: [secret] });
  });

  afterEach(async () => {
    await receiver.stop();
  });

  const reload = () => Promise.all(senders.map((sender) => sender.get(WatchedEndpoints).reload()));

  async function endpoints(...listed: object[]): Promise<void> {
    writeFileSync(servers.endpointsFile, JSON.stringify(listed));
    await reload();
  }

  const deliveries = async (endpoint = shop) =>
    (await job.ask(listWebhookDeliveries, { endpoint, limit: 100 })).deliveries;

  /** Checks the signature at the services' time. @returns the message @throws if the signature is wrong */
  function verified({ body, headers }: Pick<Received, 'body' | 'headers'>, key = secret): unknown {
    const time = now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(time);
    try {
      return new Webhook(key).verify(body, headers);
    } finally {
      clock.mockRestore();
    }
  }

  /** Waits until all messages for the shop are delivered. @param count expected number */
  async function allDelivered(count: number): Promise<void> {
    await vi.waitFor(async () => {
      const found = await deliveries();
      expect(found.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'delivered'));
    }, PATIENT);
  }

  /** Waits for an attempt with an outcome. @returns the first one in the log */
  function attempted(outcome: string) {
    return vi.waitFor(async () => {
      const found = (await deliveries()).flatMap(({ log }) => log).find((attempt) => attempt.outcome === outcome);
      expect(found).toBeDefined();
      return found;
    }, PATIENT);
  }

  return {
    get folder() {
      return folder;
    },
    get servers() {
      return servers;
    },
    get job() {
      return job;
    },
    get receiver() {
      return receiver;
    },
    set receiver(other: Receiver) {
      receiver = other;
    },
    get secret() {
      return secret;
    },
    get shop() {
      return shop;
    },
    senders,
    now,
    laterBy,
    reload,
    endpoints,
    deliveries,
    allDelivered,
    attempted,
    verified,
  };
}
