import type { Readiness } from '@maker/service-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { connectionOptions, type NatsConfiguration } from './nats-configuration.ts';

/** Injection token of the service's own NATS connection, which carries events. */
export const NATS_CONNECTION = Symbol('NATS_CONNECTION');

/** Connects, waits for the first server to answer, and keeps readiness and the log told of what the connection does. */
export async function openConnection(
  service: string,
  configuration: NatsConfiguration,
  logger: Logger,
  readiness: Readiness,
): Promise<NatsConnection> {
  const connection = await connect(connectionOptions(service, configuration));
  let connected = true;
  readiness.add('nats', () => {
    if (!connected) throw new Error('not connected');
  });
  const watch = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'close') connected = false;
      if (status.type === 'reconnect') connected = true;
      if (status.type === 'disconnect') logger.warn('NATS is disconnected; reconnecting');
      if (status.type === 'reconnect') logger.info('NATS is connected again');
      if (status.type === 'error') logger.error({ err: status.error }, 'NATS reports an error');
    }
  };
  watch().catch((error: unknown) => logger.error({ err: error }, 'the NATS connection is no longer watched'));
  return connection;
}
