import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runNode } from '../chain/node.ts';
import { type ChainDeployment, runChain } from '../chain/run-chain.ts';
import { runMongo } from '../processes/mongo.ts';
import { runNats } from '../processes/nats.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { allOrNothing, type Start } from './all-or-nothing.ts';
import type { ServiceName } from './description.ts';
import type { RunningService } from './running-service.ts';
import type { StackOptions } from './stack-options.ts';
import type { StackPorts } from './stack-ports.ts';

/** The servers that tests can kill and start again. The chain is not in our control, so it always runs. */
export type ServerName = 'mongod' | 'nats-server';

/** A server that can be crashed and started again on its own data. */
export interface RunningServer {
  /** Sends a signal and resolves when the server has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again. @param wipe whether it loses all stored data */
  start(wipe: boolean): Promise<void>;
}

/** One start: what to start, and the callbacks that record each part, so that every part can be stopped after a failure. */
export interface StartPlan {
  options: StackOptions;
  directory: string;
  ports: StackPorts;
  /** Filled with each ready service: its replicas, by their index. */
  services: Map<ServiceName, RunningService[]>;
  /** Filled with each ready server. */
  servers: Map<ServerName, RunningServer>;
  onInfrastructure: (process: RunningProcess) => void;
  onServiceProcess: (process: RunningProcess) => void;
  /** Called with the site, which serves the shell and its remotes. */
  onSite: (site: RunningService) => void;
}

/** Starts the servers that the rest of the stack needs, and runs the build at the same time. */
export async function startInfrastructure(plan: StartPlan): Promise<ChainDeployment> {
  const { options, directory, ports, servers, onInfrastructure } = plan;
  const began = performance.now();
  const reportReady = (part: string) => options.onReady?.(part, performance.now() - began);
  const logFile = (name: string): string => join(directory, 'logs', `${name}.log`);

  const server =
    (name: ServerName, port: number, folder: string, run: typeof runMongo): Start =>
    async (signal) => {
      const place = { port, dataDirectory: join(directory, folder), logFile: logFile(name) };
      let current = await run(place, signal);
      onInfrastructure(current);
      servers.set(name, {
        kill: (killSignal) => current.kill(killSignal),
        async start(wipe) {
          await current.stop();
          if (wipe) await rm(place.dataDirectory, { recursive: true, force: true });
          current = await run(place);
          onInfrastructure(current);
        },
      });
      reportReady(name);
    };

  let deployment: ChainDeployment | undefined;
  const startChain: Start = async (signal) => {
    const place = { port: ports.execution, logFile: logFile('anvil'), stateDirectory: join(directory, 'chain') };
    const chain = await runChain({ ...place, exchanges: true, blockSeconds: 0 }, signal);
    onInfrastructure(chain.anvil);
    const node = { port: ports.rpc, controlPort: ports['chain-control'], executionPort: ports.execution };
    onInfrastructure(await runNode({ ...node, clock: options.clock, logFile: logFile('hyperevm-node') }, signal));
    reportReady('chain with exchanges and demo tokens');
    deployment = chain.deployment;
  };

  const starts = [
    server('mongod', ports.mongo, 'mongo', runMongo),
    server('nats-server', ports.nats, 'nats', runNats),
    startChain,
  ];
  await allOrNothing(options.build ? [...starts, options.build] : starts, options.signal);
  if (!deployment) throw new Error('the chain was started without exchanges');
  return deployment;
}
