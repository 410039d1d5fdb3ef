import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXECUTION_CHANGES_SUBJECT, type ExecutionChanges } from '@maker/contracts';
import { type NatsPart, startNats } from '@maker/local-stack';
import { NATS_CONNECTION } from '@maker/messaging';
import { createLogger, MetricsRegistry, Readiness } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import type { INestMicroservice } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createGateway, writeApiKeys } from './gateway.fixture.ts';
import { JOB_ID } from './service-answers.fixture.ts';
import { services } from './services.fixture.ts';
import { startServices } from './start-services.fixture.ts';

/** The key of {@link gatewayForFile}. */
export const KEY = 'a-key-that-only-this-spec-knows';
export const TOKEN = `0x${'1'.repeat(40)}`;
export const UNKNOWN_JOB = `job_${'0'.repeat(32)}`;
/** The one listed origin. */
export const ORIGIN = 'https://bot.example';

/** Timeout of service requests: long enough for a first request while six files load, short for tests of silent services. */
const REQUEST_TIMEOUT_MS = 2000;

/** A listening gateway for all tests of a file, with fakes of the services behind it. Usable from the first test on. */
export function gatewayForFile() {
  let broker: NatsPart;
  let fakes: INestMicroservice | undefined;
  let folder: string;
  let keysFile: string;
  let app: NestFastifyApplication;
  let baseUrl: string;
  const logLines: string[] = [];
  const routes: { readonly method: string; readonly url: string }[] = [];

  const startAnother = (environment: Record<string, string> = {}): Promise<NestFastifyApplication> => {
    const common = {
      NATS_URL: broker.url,
      API_KEYS_FILE: keysFile,
      CORS_ORIGINS: ORIGIN,
      // Some tests poll as fast as the machine can; tests of the limit set their own.
      RATE_LIMIT_REQUESTS: '1000000',
    };
    const logger = createLogger('api-gateway', 'debug', { write: (line) => logLines.push(line) });
    return createGateway({ ...common, ...environment }, logger, REQUEST_TIMEOUT_MS);
  };

  /** Announces a change of the job's execution, as maker-executor does, and waits until the gateway has received it. */
  const announce = async (): Promise<void> => {
    const message: ExecutionChanges = { jobIds: [JOB_ID] };
    const connection = app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
    connection.publish(EXECUTION_CHANGES_SUBJECT, JSON.stringify(message));
    // The gateway subscribes on this connection, so it receives the message before the answer to the flush.
    await connection.flush();
  };

  const call = (method: 'GET' | 'POST' | 'HEAD', url: string, differences: InjectOptions = {}) =>
    app.inject({ method, url, ...differences, headers: { 'x-api-key': KEY, ...differences.headers } });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-'));
    keysFile = writeApiKeys(folder, [{ key: KEY, name: 'web', scopes: ['public'] }]);
    broker = await startNats();
    fakes = await startServices(broker.url);
    app = await startAnother();
    const server: FastifyInstance = app.getHttpAdapter().getInstance();
    server.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one, url });
    });
    await app.listen(0, '127.0.0.1');
    app.get(Readiness, { strict: false }).started();
    baseUrl = await app.getUrl();
  });

  afterAll(async () => {
    await app?.close();
    await fakes?.close();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    services.reset();
    await announce();
  });

  return {
    get app() {
      return app;
    },
    get baseUrl() {
      return baseUrl;
    },
    /** Lines of the log of all gateways of the file. */
    logLines,
    /** Routes of the gateway. */
    routes,
    /** Starts another gateway with other settings; the caller closes it. */
    startAnother,
    announce,
    call,
    post: (url: string, payload: object, headers: Record<string, string> = {}) =>
      call('POST', url, { payload, headers }),
    metrics: () => app.get(MetricsRegistry, { strict: false }).metrics(),
    /** Stops the fakes, as if all services were down. */
    stopServices: async () => {
      await fakes?.close();
      fakes = undefined;
    },
    startServices: async () => {
      fakes = await startServices(broker.url);
    },
  };
}
