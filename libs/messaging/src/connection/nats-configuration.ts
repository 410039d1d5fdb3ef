import { readFileSync } from 'node:fs';
import { commaList } from '@maker/service-kit';
import type { NodeConnectionOptions } from '@nats-io/transport-node';
import { z } from 'zod';

/** Environment of a service on NATS; spread it into the service's own schema. */
export const natsEnvironment = {
  /** One or more servers, such as 'nats://nats-0:4222,nats://nats-1:4222'. */
  NATS_URL: commaList.refine((servers) => servers.length > 0, 'must name a server'),
  /** File with the password of the user that is named like the service; without it the service connects as anonymous. */
  NATS_PASSWORD_FILE: z.string().optional(),
} as const;

/** The parsed form of {@link natsEnvironment}. */
export type NatsConfiguration = z.infer<z.ZodObject<typeof natsEnvironment>>;

/** Options of every connection to NATS: endless reconnects with jitter, since a service must outlive broker restarts. */
export function connectionOptions(service: string, configuration: NatsConfiguration): NodeConnectionOptions {
  const password = configuration.NATS_PASSWORD_FILE
    ? readFileSync(configuration.NATS_PASSWORD_FILE, 'utf8').trim()
    : undefined;
  return {
    name: service,
    servers: configuration.NATS_URL,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: 200,
    reconnectJitter: 200,
    // A server that answers no ping for two intervals counts as lost, even without a network error.
    pingInterval: 5_000,
    maxPingOut: 2,
    timeout: 5_000,
    noAsyncTraces: true,
    ...(password === undefined ? {} : { user: service, pass: password }),
  };
}
