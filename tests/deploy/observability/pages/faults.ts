import type { RunningStack, ServiceName } from '@maker/local-stack';
import type { FaultyNetwork } from '../../../support/faulty-network.ts';

/** Servers that services reach through a network that can fail. */
export type Server = 'mongod' | 'nats-server' | 'chain';

/** What is done to a stack, and what must be told of it. */
export interface Fault {
  readonly name: string;
  /** The alert that names the cause. */
  readonly alert: string;
  inject(): Promise<void>;
  mend(): Promise<void>;
}

const network = (networks: ReadonlyMap<Server, FaultyNetwork>, server: Server, name: string, alert: string): Fault => ({
  name,
  alert,
  inject: async () => networks.get(server)?.set({ kind: 'reset' }),
  mend: async () => networks.get(server)?.set({ kind: 'none' }),
});

const missing = (running: RunningStack, service: ServiceName): Fault => ({
  name: `${service} is not there`,
  alert: 'MakerServiceMissing',
  inject: () => running.kill(service, 'SIGKILL'),
  mend: () => running.restart(service),
});

/** Every fault, those that are told of longest first. */
export function faults(running: RunningStack, networks: ReadonlyMap<Server, FaultyNetwork>): Fault[] {
  return [
    network(networks, 'mongod', 'MongoDB is not reached', 'MakerMongoFailing'),
    network(networks, 'chain', 'no RPC endpoint is reached', 'MakerChainUnreachable'),
    network(networks, 'nats-server', 'NATS is not reached', 'MakerNatsDisconnected'),
    missing(running, 'payment-watcher'),
    missing(running, 'maker-executor'),
    missing(running, 'job'),
    missing(running, 'token-validation'),
    missing(running, 'api-gateway'),
  ];
}
