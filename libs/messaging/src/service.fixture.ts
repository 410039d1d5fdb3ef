import type { EventSource } from '@maker/contracts';
import type { NatsPart, TestDatabases } from '@maker/local-stack';
import { createLogger } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { connectionOptions } from './connection/nats-configuration.ts';
import { DrainingNatsServer } from './request/draining-server.ts';
import { serviceModule } from './service-module.ts';

/** Starts a service with only a database and events, for specs. Register its handlers before it listens to events. */
export async function startBareService(
  service: EventSource,
  { mongo, broker }: { readonly mongo: TestDatabases; readonly broker: NatsPart },
): Promise<INestMicroservice> {
  const nats = { NATS_URL: [broker.url] };
  const common = { LOG_LEVEL: 'fatal', LISTEN_HOST: '127.0.0.1', OPS_PORT: 0, SHUTDOWN_DRAIN_MS: 0 } as const;
  const parts = { mongoUrl: mongo.urlOf(service), events: service };
  const module = serviceModule(service, { ...common, ...nats }, createLogger(service, 'fatal'), parts);
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    strategy: new DrainingNatsServer({ ...connectionOptions(service, nats), queue: service }),
    logger: false,
  });
  await app.listen();
  return app;
}
