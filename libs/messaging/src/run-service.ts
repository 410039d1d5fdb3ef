import { setTimeout as wait } from 'node:timers/promises';
import {
  type CommonConfiguration,
  closeOnSignal,
  exitOnUnhandled,
  exitWhenLoopsStand,
  NestPinoLogger,
  Readiness,
  startTracing,
  type TracingConfiguration,
  withholdMemoryFromCoreFiles,
} from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { Logger } from 'pino';
import { connectionOptions, type NatsConfiguration } from './connection/nats-configuration.ts';
import { DrainingNatsServer } from './request/draining-server.ts';

/** Arguments from main.ts of a service without HTTP. */
export interface ServiceOptions {
  readonly service: string;
  readonly module: Type | DynamicModule;
  readonly configuration: CommonConfiguration & NatsConfiguration & TracingConfiguration;
  readonly logger: Logger;
  /** Longest wait for running work at shutdown, ms; by default as long as a request may take. */
  readonly longestEndMs?: number;
}

/**
 * Runs a NATS service until a signal stops it, in a queue group of its own name. It finishes running requests at shutdown.
 * If the start fails, it logs the error and ends the process with status 1.
 */
export async function runService(options: ServiceOptions): Promise<void> {
  const { service, module, configuration, logger, longestEndMs } = options;
  exitOnUnhandled(logger);
  exitWhenLoopsStand(logger);
  withholdMemoryFromCoreFiles(logger);
  try {
    await startTracing(service, configuration, logger);
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
      strategy: new DrainingNatsServer({ ...connectionOptions(service, configuration), queue: service }),
      logger: new NestPinoLogger(logger),
      abortOnError: false,
    });
    await app.listen();
    closeOnSignal(app, { drainMs: configuration.SHUTDOWN_DRAIN_MS, longestMs: longestEndMs }, logger);
    const readiness = app.get(Readiness, { strict: false });
    readiness.add('nats answers', () => app.unwrap<NatsConnection>().flush());
    readiness.started();
    logger.info('started');
  } catch (error) {
    logger.fatal({ err: error }, 'start failed');
    // The log line must reach standard error before the process ends.
    await wait(50);
    process.exit(1);
  }
}
