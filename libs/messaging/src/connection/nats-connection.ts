import type { Readiness } from '@maker/service-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { NatsMetrics } from '../messaging.metrics.ts';
import { connectionOptions, type NatsConfiguration } from './nats-configuration.ts';

/** Injection token of the service's own NATS connection, which carries events. */
export const NATS_CONNECTION = Symbol('NATS_CONNECTION');

/** Receivers of the connection's status changes. */
export interface ConnectionObservers {
  readonly logger: Logger;
  readonly readiness: Readiness;
  readonly metrics: NatsMetrics;
}

/** Connects, waits for the first server to answer, and reports status changes to the observers. */
export async function openConnection(
  service: string,
  configuration: NatsConfiguration,
  { logger, readiness, metrics }: ConnectionObservers,
): Promise<NatsConnection> {
  const connection = await connect(connectionOptions(service, configuration));
  let connected = true;
  metrics.connection(true);
  readiness.add('nats', () => {
    if (!connected) throw new Error('not connected');
    return connection.flush();
  });
  const watch = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'close') connected = false;
      if (status.type === 'reconnect') connected = true;
      if (status.type === 'disconnect' || status.type === 'reconnect') metrics.connection(connected);
      if (status.type === 'disconnect') logger.warn('NATS disconnected, reconnecting');
      if (status.type === 'reconnect') logger.info('NATS reconnected');
      if (status.type === 'error') logger.error({ err: status.error }, 'NATS error reported');
    }
  };
  watch().catch((error: unknown) => logger.error({ err: error }, 'NATS connection no longer watched'));
  return connection;
}
