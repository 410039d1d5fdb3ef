import { join } from 'node:path';
import { WORKSPACE_ROOT } from '../paths.ts';
import { HOST } from '../processes/ports.ts';
import { baseEnvironment, type RunningProcess, startProcess } from '../processes/running-process.ts';
import { chainTestClient, rpcUrl } from './anvil.ts';
import { CHAIN_ID } from './network.ts';

/** How fast the chain lives. */
export interface ChainClock {
  /** Milliseconds between small blocks; 0 makes them on demand only. */
  blockMs: number;
  /** The chain's seconds between small blocks at least; where it is more than `blockMs`, its time runs ahead of ours. */
  secondsPerBlock: number;
}

/** HyperEVM's own pace. */
export const HYPEREVM_CLOCK: ChainClock = { blockMs: 1000, secondsPerBlock: 1 };

/** Where the node stands, and what else is its own. */
export interface NodePlace {
  /** What everybody may ask. */
  port: number;
  /** What only a test may order; see `controlNode` of @maker/hyperevm-node. */
  controlPort: number;
  /** The anvil that executes. */
  executionPort: number;
  /** HyperEVM's pace unless told. */
  clock?: ChainClock | undefined;
  logFile: string;
}

/** Starts the node with HyperEVM's rules in front of an anvil, from which on the blocks are the node's. */
export async function runNode(place: NodePlace, signal?: AbortSignal): Promise<RunningProcess> {
  const program = join(WORKSPACE_ROOT, 'libs', 'hyperevm-node', 'src', 'main.ts');
  const { blockMs, secondsPerBlock } = place.clock ?? HYPEREVM_CLOCK;
  const client = chainTestClient(rpcUrl(place.port));
  return startProcess(
    {
      name: 'hyperevm-node',
      command: process.execPath,
      args: [
        ...['--conditions=@maker/source', program, '--execution-url', rpcUrl(place.executionPort)],
        ...['--host', HOST, '--port', String(place.port), '--control-port', String(place.controlPort)],
        ...['--block-ms', String(blockMs), '--seconds-per-block', String(secondsPerBlock)],
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
