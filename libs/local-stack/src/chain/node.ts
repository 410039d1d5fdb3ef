import { join } from 'node:path';
import { WORKSPACE_ROOT } from '../paths.ts';
import { HOST } from '../processes/ports.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { rpcUrl, startRpcServer } from './anvil.ts';

/** Speed of the chain's clock. */
export interface ChainClock {
  /** Milliseconds between small blocks; 0 mines on demand only. */
  blockMs: number;
  /** Least seconds between the timestamps of small blocks; if more than `blockMs`, the chain's clock runs ahead of ours. */
  secondsPerBlock: number;
}

/** HyperEVM's own pace. */
export const HYPEREVM_CLOCK: ChainClock = { blockMs: 1000, secondsPerBlock: 1 };

/** Addresses and settings of the node. */
export interface NodePlace {
  /** Of the public JSON-RPC. */
  port: number;
  /** Of the commands for tests only; see `controlNode` of @maker/hyperevm-node. */
  controlPort: number;
  /** The anvil that executes. */
  executionPort: number;
  /** Default: HyperEVM's pace. */
  clock?: ChainClock | undefined;
  logFile: string;
}

/** Starts the node with HyperEVM's rules in front of an anvil. From then on the node mines all blocks. */
export async function runNode(place: NodePlace, signal?: AbortSignal): Promise<RunningProcess> {
  const program = join(WORKSPACE_ROOT, 'libs', 'hyperevm-node', 'src', 'main.ts');
  const { blockMs, secondsPerBlock } = place.clock ?? HYPEREVM_CLOCK;
  const args = [
    ...['--conditions=@maker/source', program, '--execution-url', rpcUrl(place.executionPort)],
    ...['--host', HOST, '--port', String(place.port), '--control-port', String(place.controlPort)],
    ...['--block-ms', String(blockMs), '--seconds-per-block', String(secondsPerBlock)],
  ];
  return startRpcServer({ name: 'hyperevm-node', command: process.execPath, args }, place, signal);
}
