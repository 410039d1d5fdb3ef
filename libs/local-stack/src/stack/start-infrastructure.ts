import { join } from 'node:path';
import { type RunningChain, runChain } from '../chain/run-chain.ts';
import { runMongo } from '../processes/mongo.ts';
import { runNats } from '../processes/nats.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import type { StackPorts } from './stack-ports.ts';

/** Told of each server as soon as it is ready, so that it can be stopped whatever happens to the others. */
export type OnServer = (part: string, process: RunningProcess) => Promise<void>;

/** One attempt to start servers, in parallel. */
export interface InfrastructurePlan {
  directory: string;
  ports: StackPorts;
  onServer: OnServer;
}

/** The servers that everything else stands on, each as a start that has not begun. */
export function infrastructureStarts(
  { directory, ports, onServer }: InfrastructurePlan,
  onChain: (chain: RunningChain) => void,
): ((signal: AbortSignal) => Promise<void>)[] {
  const logFile = (name: string): string => join(directory, 'logs', `${name}.log`);
  return [
    async (signal) => {
      const place = { port: ports.mongo, dataDirectory: join(directory, 'mongo'), logFile: logFile('mongod') };
      await onServer('mongod', await runMongo(place, signal));
    },
    async (signal) => {
      const place = { port: ports.nats, dataDirectory: join(directory, 'nats'), logFile: logFile('nats-server') };
      await onServer('nats-server', await runNats(place, signal));
    },
    async (signal) => {
      const place = { port: ports.rpc, logFile: logFile('anvil'), stateDirectory: join(directory, 'chain') };
      const chain = await runChain({ ...place, exchanges: true }, signal);
      await onServer('anvil with exchanges and demo tokens', chain.anvil);
      onChain(chain);
    },
  ];
}
