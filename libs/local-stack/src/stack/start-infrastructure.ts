import { join } from 'node:path';
import { type ChainClock, runNode } from '../chain/node.ts';
import { type ChainDeployment, runChain } from '../chain/run-chain.ts';
import { runMongo, type ServerPlace } from '../processes/mongo.ts';
import { runNats } from '../processes/nats.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { type RunningServer, type ServerName, startServer } from './running-server.ts';
import type { StackPorts } from './stack-ports.ts';

/** One attempt to start servers, in parallel. */
export interface InfrastructurePlan {
  directory: string;
  ports: StackPorts;
  clock: ChainClock | undefined;
  /** Told of each process as soon as it is ready, so that it can be stopped whatever happens to the others. */
  onProcess: (process: RunningProcess) => Promise<void>;
  /** Told of each server that can be started again. */
  onServer: (name: ServerName, server: RunningServer) => void;
  /** Told what was deployed on the chain. */
  onChain: (deployment: ChainDeployment) => void;
  /** Told of each part that is ready. */
  onReady: (part: string) => void;
}

/** The servers that everything else stands on, each as a start that has not begun. */
export function infrastructureStarts(plan: InfrastructurePlan): ((signal: AbortSignal) => Promise<void>)[] {
  const { directory, ports, onProcess, onServer, onReady } = plan;
  const logFile = (name: string): string => join(directory, 'logs', `${name}.log`);
  const server = (name: ServerName, run: typeof runMongo, place: ServerPlace) => async (signal: AbortSignal) => {
    onServer(name, await startServer(place, run, onProcess, signal));
    onReady(name);
  };
  return [
    server('mongod', runMongo, {
      port: ports.mongo,
      dataDirectory: join(directory, 'mongo'),
      logFile: logFile('mongod'),
    }),
    server('nats-server', (place, signal) => runNats({ ...place, monitorPort: ports['nats-monitor'] }, signal), {
      port: ports.nats,
      dataDirectory: join(directory, 'nats'),
      logFile: logFile('nats-server'),
    }),
    async (signal) => {
      const place = { port: ports.execution, logFile: logFile('anvil'), stateDirectory: join(directory, 'chain') };
      const { anvil, deployment } = await runChain({ ...place, exchanges: true, blockSeconds: 0 }, signal);
      await onProcess(anvil);
      if (!deployment) throw new Error('the chain was started without exchanges');
      const node = { port: ports.rpc, controlPort: ports['chain-control'], executionPort: ports.execution };
      const log = logFile('hyperevm-node');
      await onProcess(await runNode({ ...node, clock: plan.clock, logFile: log }, signal));
      onReady('chain with exchanges and demo tokens');
      plan.onChain(deployment);
    },
  ];
}
