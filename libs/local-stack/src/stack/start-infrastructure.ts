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

/** The servers that can be taken away and brought back; the chain, which is not ours, is always there. */
export type ServerName = 'mongod' | 'nats-server';

/** A server that can be crashed and started again on its own data. */
export interface RunningServer {
  /** Sends a signal and resolves when the server has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again. @param wipe whether it has lost all it had stored */
  start(wipe: boolean): Promise<void>;
}

/** One start: what to start, and who is told of each part, so that it can be stopped whatever happens next. */
export interface StartPlan {
  options: StackOptions;
  directory: string;
  ports: StackPorts;
  /** Filled with each service that is ready: its replicas, by their index. */
  services: Map<ServiceName, RunningService[]>;
  /** Filled with each server that is ready. */
  servers: Map<ServerName, RunningServer>;
  onInfrastructure: (process: RunningProcess) => void;
  onServiceProcess: (process: RunningProcess) => void;
  /** Told of the site, which serves the shell and its remotes. */
  onSite: (site: RunningService) => void;
}

/** Starts the servers that everything else stands on, beside the build of what stands on them. */
export async function startInfrastructure(plan: StartPlan): Promise<ChainDeployment> {
  const { options, directory, ports, servers, onInfrastructure } = plan;
  const began = Date.now();
  const tellReady = (part: string) => options.onReady?.(part, Date.now() - began);
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
      tellReady(name);
    };

  let deployment: ChainDeployment | undefined;
  const startChain: Start = async (signal) => {
    const place = { port: ports.execution, logFile: logFile('anvil'), stateDirectory: join(directory, 'chain') };
    const chain = await runChain({ ...place, exchanges: true, blockSeconds: 0 }, signal);
    onInfrastructure(chain.anvil);
    const node = { port: ports.rpc, controlPort: ports['chain-control'], executionPort: ports.execution };
    onInfrastructure(await runNode({ ...node, clock: options.clock, logFile: logFile('hyperevm-node') }, signal));
    tellReady('chain with exchanges and demo tokens');
    deployment = chain.deployment;
  };

  const starts = [
    server('mongod', ports.mongo, 'mongo', runMongo),
    server('nats-server', ports.nats, 'nats', (place, signal) =>
      runNats({ ...place, monitorPort: ports['nats-monitor'] }, signal),
    ),
    startChain,
  ];
  await allOrNothing(options.build ? [...starts, options.build] : starts, options.signal);
  if (!deployment) throw new Error('the chain was started without exchanges');
  return deployment;
}
