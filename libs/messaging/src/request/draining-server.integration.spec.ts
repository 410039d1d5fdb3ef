import { getReceipt } from '@maker/contracts';
import { type NatsPart, startNats } from '@maker/local-stack';
import { createLogger, ServiceKitModule } from '@maker/service-kit';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectionOptions } from '../connection/nats-configuration.ts';
import { MessagingModule } from '../messaging.module.ts';
import { DrainingNatsServer } from './draining-server.ts';
import { HandleRequest } from './handle-request.ts';
import { RequestClient } from './request-client.ts';

const JOB = `job_${'a'.repeat(32)}`;

let broker: NatsPart;
let running: INestMicroservice[] = [];

beforeAll(async () => {
  broker = await startNats();
});

afterEach(async () => {
  await Promise.all(running.map((app) => app.close()));
  running = [];
});

afterAll(() => broker?.stop());

/** @param answer the service's work before its answer; absent for a service that only sends requests */
async function start(answer?: () => Promise<void>): Promise<INestMicroservice> {
  const logger = createLogger('job', 'fatal');
  const nats = { NATS_URL: [broker.url] };

  @Controller()
  class ReceiptController {
    @HandleRequest(getReceipt)
    async get() {
      await answer?.();
      return { receipt: null };
    }
  }

  @Module({
    imports: [
      ServiceKitModule.forRoot({
        service: 'job',
        configuration: { LOG_LEVEL: 'fatal', LISTEN_HOST: '127.0.0.1', OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 },
        logger,
      }),
      MessagingModule.forRoot({ service: 'job', nats }),
    ],
    controllers: answer ? [ReceiptController] : [],
  })
  class TestedModule {}

  const app = await NestFactory.createMicroservice<MicroserviceOptions>(TestedModule, {
    strategy: new DrainingNatsServer({ ...connectionOptions('job', nats), queue: 'job' }),
    logger: false,
  });
  await app.listen();
  running.push(app);
  return app;
}

it('loses no request to a stopping replica', async () => {
  const asking = (await start()).get(RequestClient);
  await start(async () => undefined);
  let done = false;
  const ask = async (): Promise<number> => {
    let answered = 0;
    while (!done) {
      await asking.request(getReceipt, { jobId: JOB }, 2_000);
      answered += 1;
    }
    return answered;
  };
  const visitors = Promise.all(Array.from({ length: 50 }, ask));
  for (let round = 0; round < 10; round++) {
    const leaving = await start(async () => undefined);
    await leaving.close();
    running = running.filter((app) => app !== leaving);
  }
  done = true;
  expect((await visitors).every((answered) => answered > 0)).toBe(true);
});

it('finishes running requests and accepts none', async () => {
  const asking = (await start()).get(RequestClient);
  let started = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    started = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = await start(async () => {
    started();
    await released;
  });
  const answer = asking.request(getReceipt, { jobId: JOB });
  await arrived;
  const closed = slow.close();
  running = running.filter((app) => app !== slow);
  // A request sent before the broker knows of the drain is also still running.
  const askAnew = () => asking.request(getReceipt, { jobId: JOB }, 100);
  await vi.waitFor(() => expect(askAnew()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }), 4_000);
  release();
  await expect(answer).resolves.toEqual({ receipt: null });
  await closed;
});
