import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorBodySchema } from '@maker/contracts';
import { type MongoPart, type NatsPart, startMongo, startNats } from '@maker/local-stack';
import { MetricsRegistry, Readiness } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, writeApiKeys } from '../gateway.fixture.ts';
import { startServices } from '../start-services.fixture.ts';
import { SlowLink } from './slow-link.fixture.ts';
import { WINDOW_MS } from './window-key.ts';

const KEY = 'a-key-that-only-this-spec-knows';
const LIMIT = 60;
/** Requests that a replica admits before its claim is answered: a fortieth of the limit, at least one. */
const CREDIT = 1;

let mongo: MongoPart;
let broker: NatsPart;
let fakes: INestMicroservice;
let folder: string;
let keysFile: string;

async function startGateway(environment: Record<string, string> = {}): Promise<NestFastifyApplication> {
  const app = await createGateway({
    NATS_URL: broker.url,
    API_KEYS_FILE: keysFile,
    HTTP_TRUSTED_PROXIES: '127.0.0.1',
    MONGO_URL: mongo.urlOf('api_gateway'),
    RATE_LIMIT_REQUESTS: String(LIMIT),
    ...environment,
  });
  await app.init();
  app.get(Readiness, { strict: false }).started();
  return app;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-limits-'));
  keysFile = writeApiKeys(folder, [{ key: KEY, name: 'web', scopes: ['public'] }]);
  [mongo, broker] = await Promise.all([startMongo(), startNats()]);
  fakes = await startServices(broker.url);
});

afterAll(async () => {
  await fakes?.close();
  await Promise.all([mongo?.stop(), broker?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** @param from address of the client, which the trusted proxy reports */
const ask = (app: NestFastifyApplication, from: string) =>
  app.inject({ method: 'GET', url: '/stats', headers: { 'x-api-key': KEY, 'x-forwarded-for': from } });

/** Sends requests to the replicas in turn. @returns number of admitted requests */
async function passed(replicas: readonly NestFastifyApplication[], count: number, from: string): Promise<number> {
  let through = 0;
  for (let request = 0; request < count; request++) {
    const replica = replicas[request % replicas.length] as NestFastifyApplication;
    if ((await ask(replica, from)).statusCode === 200) through += 1;
  }
  return through;
}

describe('the rate limit', () => {
  it('holds across replicas and an IPv6 network', async () => {
    const replicas = await Promise.all([startGateway(), startGateway(), startGateway()]);
    try {
      expect(await passed(replicas, 3 * LIMIT, '203.0.113.1')).toBe(LIMIT);
      for (const replica of replicas) {
        const refused = await ask(replica, '203.0.113.1');
        expect(errorBodySchema.parse(refused.json())).toMatchObject({ code: 'TOO_MANY_REQUESTS', statusCode: 429 });
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
        expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(WINDOW_MS / 1000);
        const other = await ask(replica, '203.0.113.2');
        expect(other.statusCode).toBe(200);
        expect(other.headers).toMatchObject({ 'x-ratelimit-limit': String(LIMIT) });
        expect(Number(other.headers['x-ratelimit-remaining'])).toBeLessThan(LIMIT);
      }
      expect(await passed(replicas.slice(0, 1), LIMIT, '2001:db8::1')).toBe(LIMIT);
      expect((await ask(replicas[1] as NestFastifyApplication, '2001:db8::ffff:2')).statusCode).toBe(429);
      expect((await ask(replicas[1] as NestFastifyApplication, '2001:db8:0:1::1')).statusCode).toBe(200);
    } finally {
      await Promise.all(replicas.map((replica) => replica.close()));
    }
  });

  it.each([300, 1000])('holds across replicas while the database answers %d ms late', async (delayMs) => {
    const url = new URL(mongo.urlOf('api_gateway'));
    const link = await SlowLink.before(Number(url.port));
    url.port = String(link.port);
    const environment = { MONGO_URL: `${url}${url.search ? '&' : '?'}directConnection=true` };
    const replicas = await Promise.all([startGateway(environment), startGateway(environment)]);
    try {
      const client = `203.0.114.${delayMs % 255}`;
      const early = await passed(replicas, 6, client);
      link.delayMs = delayMs;
      const answers = await Promise.all(
        Array.from({ length: 3 * LIMIT }, (_, index) => ask(replicas[index % 2] as NestFastifyApplication, client)),
      );
      const late = answers.filter(({ statusCode }) => statusCode === 200).length;
      expect(early).toBe(6);
      expect(early + late).toBeGreaterThan(6);
      expect(early + late).toBeLessThanOrEqual(LIMIT + replicas.length * CREDIT);
    } finally {
      link.delayMs = 0;
      await Promise.all(replicas.map((replica) => replica.close()));
      await link.stop();
    }
  });

  it.each([1500, 3000])('holds across replicas that need %d ms to connect', async (delayMs) => {
    const url = new URL(mongo.urlOf('api_gateway'));
    const link = await SlowLink.before(Number(url.port));
    link.delayMs = delayMs;
    url.port = String(link.port);
    const environment = { MONGO_URL: `${url}${url.search ? '&' : '?'}directConnection=true` };
    const replicas = await Promise.all([startGateway(), startGateway(environment), startGateway(environment)]);
    const beganAt = performance.now();
    try {
      const client = `203.0.115.${delayMs % 255}`;
      expect(await passed(replicas.slice(0, 1), LIMIT, client)).toBe(LIMIT);
      const late = await passed(replicas.slice(1), 2 * LIMIT, client);
      const seconds = (performance.now() - beganAt) / 1000;
      expect(late).toBeLessThanOrEqual(2 * (CREDIT + (seconds * LIMIT * 1000) / WINDOW_MS));
      expect(late).toBeLessThan(LIMIT);
    } finally {
      link.delayMs = 0;
      await Promise.all(replicas.map((replica) => replica.close()));
      await link.stop();
    }
  });

  it('is counted per replica while the database is down', async () => {
    const app = await startGateway();
    await mongo.kill();
    try {
      expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
      expect(await passed([app], LIMIT + 5, '203.0.113.4')).toBe(LIMIT);
      const metrics = await app.get(MetricsRegistry, { strict: false }).metrics();
      expect(metrics).toContain(`maker_rate_limit_checks_total{counter="replica",outcome="passed"} ${LIMIT}`);
      const another = await startGateway();
      expect((await ask(another, '203.0.113.4')).statusCode).toBe(200);
      await another.close();
    } finally {
      await app.close();
    }
  });
});
