import { join } from 'node:path';
import { WORKSPACE_ROOT } from '../paths.ts';
import { HOST } from '../processes/ports.ts';
import { baseEnvironment, type RunningProcess, startProcess } from '../processes/running-process.ts';
import { chainTestClient, rpcUrl } from './anvil.ts';
import { CHAIN_ID } from './network.ts';

/** Where the node stands. */
export interface NodePlace {
  /** What everybody may ask. */
  port: number;
  /** What only a test may order; see `controlNode` of @maker/hyperevm-node. */
  controlPort: number;
  /** The anvil that executes. */
  executionPort: number;
  logFile: string;
}

/** Starts the node with HyperEVM's rules in front of an anvil, from which on the blocks are the node's. */
export async function runNode(place: NodePlace, signal?: AbortSignal): Promise<RunningProcess> {
  const program = join(WORKSPACE_ROOT, 'libs', 'hyperevm-node', 'src', 'main.ts');
  const client = chainTestClient(rpcUrl(place.port));
  return startProcess(
    {
      name: 'hyperevm-node',
      command: process.execPath,
      args: [
        ...['--conditions=@maker/source', program, '--execution-url', rpcUrl(place.executionPort)],
        ...['--host', HOST, '--port', String(place.port), '--control-port', String(place.controlPort)],
      ],
      environment: baseEnvironment(),
      logFile: place.logFile,
      isReady: async () => (await client.request({ method: 'eth_chainId' } as never)) === `0x${CHAIN_ID.toString(16)}`,
      readyTimeoutMs: 20_000,
      stopGraceMs: 10_000,
    },
    signal,
  );
}
