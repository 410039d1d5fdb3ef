import { declareCounter, declareGauge, declareHistogram, OTHER, oneOf, recordCall } from '@maker/service-kit';
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

/** What a service sees of its database. */
export class MongoMetrics {
  private readonly durations;
  private readonly failures;
  private readonly inUse;
  private readonly failedCheckouts;
  private readonly failedHeartbeats;

  constructor(registry: Registry) {
    this.durations = declareHistogram(registry, {
      name: 'maker_mongo_command_duration_seconds',
      help: 'Time of a command to MongoDB, whatever its end.',
      labels: { command: COMMANDS },
      initial: [],
      buckets: SECONDS,
    });
    this.failures = declareCounter(registry, {
      name: 'maker_mongo_command_failures_total',
      help: 'Commands that MongoDB refused or did not answer; write conflicts of transactions are among them.',
      labels: { command: COMMANDS },
    });
    this.inUse = declareGauge(registry, {
      name: 'maker_mongo_connections_in_use',
      help: 'Connections of the pool that a command holds now.',
    });
    this.failedCheckouts = declareCounter(registry, {
      name: 'maker_mongo_checkout_failures_total',
      help: 'Commands that got no connection from the pool.',
    });
    this.failedHeartbeats = declareCounter(registry, {
      name: 'maker_mongo_heartbeat_failures_total',
      help: 'Checks of a MongoDB server that failed.',
    });
  }

  /** Follows a connection that was opened with `monitorCommands`. */
  follow(connection: Pick<Connection, 'getClient'>): void {
    const client = connection.getClient();
    client.on('commandSucceeded', ({ commandName, duration }) => this.ended(commandName, duration));
    client.on('commandFailed', ({ commandName, duration }) => {
      this.ended(commandName, duration);
      this.failures.inc({ command: oneOf(COMMANDS, commandName) });
    });
    client.on('connectionCheckedOut', () => this.inUse.inc());
    client.on('connectionCheckedIn', () => this.inUse.dec());
    client.on('connectionCheckOutFailed', () => this.failedCheckouts.inc());
    client.on('serverHeartbeatFailed', () => this.failedHeartbeats.inc());
  }

  private ended(command: string, ms: number): void {
    this.durations.observe({ command: oneOf(COMMANDS, command) }, ms / 1000);
    recordCall(`mongodb ${command}`, ms, { 'db.system.name': 'mongodb', 'db.operation.name': command });
  }
}

/** Counts leases that another process holds. */
export function declareLeaseMetrics(registry: Registry): Counter {
  return declareCounter(registry, {
    name: 'maker_lease_lost_total',
    help: 'Leases found in the hands of another process.',
  });
}
