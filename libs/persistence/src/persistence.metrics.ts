import { counter, declareMetrics, gauge, histogram, OTHER, oneOf, recordCall } from '@maker/service-kit';
import type { Connection } from 'mongoose';
import type { Counter, Registry } from 'prom-client';

/** Commands that the services send to MongoDB. */
const COMMANDS = [
  'abortTransaction',
  'aggregate',
  'commitTransaction',
  'createIndexes',
  'delete',
  'find',
  'findAndModify',
  'getMore',
  'insert',
  'ping',
  'update',
  OTHER,
] as const;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** A service's metrics of its database. */
export class MongoMetrics {
  private readonly metrics;

  constructor(registry: Registry) {
    this.metrics = declareMetrics(registry, {
      maker_mongo_command_duration_seconds: histogram(
        'Time of a command to MongoDB, successful or failed.',
        SECONDS,
        { command: COMMANDS },
        [],
      ),
      maker_mongo_command_failures_total: counter(
        'Commands that MongoDB refused or did not answer, including write conflicts of transactions.',
        { command: COMMANDS },
      ),
      maker_mongo_connections_in_use: gauge('Connections of the pool that commands use now.'),
      maker_mongo_checkout_failures_total: counter('Commands that got no connection from the pool.'),
      maker_mongo_heartbeat_failures_total: counter('Checks of a MongoDB server that failed.'),
    });
  }

  /** Observes a connection that was opened with `monitorCommands`. */
  follow(connection: Pick<Connection, 'getClient'>): void {
    const client = connection.getClient();
    client.on('commandSucceeded', ({ commandName, duration }) => this.ended(commandName, duration));
    client.on('commandFailed', ({ commandName, duration }) => {
      this.ended(commandName, duration);
      this.metrics.maker_mongo_command_failures_total.inc({ command: oneOf(COMMANDS, commandName) });
    });
    client.on('connectionCheckedOut', () => this.metrics.maker_mongo_connections_in_use.inc());
    client.on('connectionCheckedIn', () => this.metrics.maker_mongo_connections_in_use.dec());
    client.on('connectionCheckOutFailed', () => this.metrics.maker_mongo_checkout_failures_total.inc());
    client.on('serverHeartbeatFailed', () => this.metrics.maker_mongo_heartbeat_failures_total.inc());
  }

  private ended(command: string, ms: number): void {
    this.metrics.maker_mongo_command_duration_seconds.observe({ command: oneOf(COMMANDS, command) }, ms / 1000);
    recordCall(`mongodb ${command}`, ms, { 'db.system.name': 'mongodb', 'db.operation.name': command });
  }
}

/** Declares the counter of lost leases. */
export function declareLeaseMetrics(registry: Registry): Counter {
  return declareMetrics(registry, {
    maker_lease_lost_total: counter('Leases that this service lost to another process.'),
  }).maker_lease_lost_total;
}
