import { join } from 'node:path';
import { WORKSPACE_ROOT } from '../paths.ts';
import { HOST } from '../processes/ports.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { rpcUrl, startRpcServer } from './anvil.ts';

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
  const args = [
    ...['--conditions=@maker/source', program, '--execution-url', rpcUrl(place.executionPort)],
    ...['--host', HOST, '--port', String(place.port), '--control-port', String(place.controlPort)],
    ...['--block-ms', String(blockMs), '--seconds-per-block', String(secondsPerBlock)],
  ];
  return startRpcServer({ name: 'hyperevm-node', command: process.execPath, args }, place, signal);
}
