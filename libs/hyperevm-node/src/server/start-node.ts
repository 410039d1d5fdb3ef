import { BlockClock } from '../chain/block-clock.ts';
import { impersonations } from '../chain/block-content.ts';
import { BlockProducer } from '../chain/block-producer.ts';
import { ChainState } from '../chain/chain-state.ts';
import { Gate } from '../chain/gate.ts';
import { answerControl } from '../control/answer-control.ts';
import type { SwitchChange } from '../control/control-node.ts';
import { Execution } from '../execution/execution.ts';
import { CoreLedger } from '../rules/core-ledger.ts';
import { Mempool } from '../rules/mempool.ts';
import { changedSwitches, DEFAULT_SWITCHES } from '../rules/switches.ts';
import { reply, serve } from './http-server.ts';
import { servePublic } from './public-server.ts';

/** Options of the node. */
export interface NodeOptions {
  /**
   * JSON-RPC of the anvil that executes. It must not mine on its own and must keep the order of arrival
   * (`EXECUTION_ARGUMENTS`). No other client may make it mine.
   */
  executionUrl: string;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: free ports. */
  port?: number;
  controlPort?: number;
  /** Milliseconds between small blocks, default 1000; 0 produces them on demand only. */
  blockMs?: number;
  /** Least seconds between the timestamps of small blocks, default 1; if more than `blockMs`, the chain's clock runs ahead. */
  secondsPerBlock?: number;
  /** The chain's seconds between big blocks, default 60; 0 produces them on demand only. */
  secondsPerBigBlock?: number;
  switches?: SwitchChange;
}

/** A running node. */
export interface RunningNode {
  /** Address that answers like HyperEVM's public endpoint, with HyperCore's info API at `/info`. */
  rpcUrl: string;
  /** Address of the commands for tests; see `controlNode`. */
  controlUrl: string;
  stop(): Promise<void>;
}

/** Arguments that anvil must be started with: the node decides on blocks and their content. */
export const EXECUTION_ARGUMENTS = ['--no-mining', '--order', 'fifo'] as const;

/** Starts a node with HyperEVM's rules in front of an anvil. Its table of rules: docs/hyperevm-node.md. */
export async function startHyperevmNode(options: NodeOptions): Promise<RunningNode> {
  const now = Date.now;
  const { executionUrl, host = '127.0.0.1', port = 0, controlPort = 0, blockMs = 1000 } = options;
  const { secondsPerBlock = 1, secondsPerBigBlock = 60 } = options;
  let switches = changedSwitches(DEFAULT_SWITCHES, options.switches ?? {});
  const execution = new Execution(executionUrl);
  const state = await ChainState.read(execution, now);
  await execution.askAll(impersonations());
  const sources = {
    execution,
    state,
    gate: new Gate(),
    mempool: new Mempool(),
    core: new CoreLedger(),
    bigBlockUsers: new Set<string>(),
    switches: () => switches,
    now,
  };
  const producer = new BlockProducer(sources, { secondsPerBlock, secondsPerBigBlock });
  const clock = new BlockClock(dueRound(producer, sources));
  const controlled = { sources, producer, clock, setSwitches: (changed: typeof switches) => (switches = changed) };
  const rpc = await servePublic({ host, port }, sources);
  const control = await serve({ host, port: controlPort }, async (_, body, response) =>
    reply(response, await answerControl(controlled, body)),
  );
  clock.intervalMs = blockMs;
  return {
    rpcUrl: rpc.url,
    controlUrl: control.url,
    async stop() {
      clock.intervalMs = 0;
      await Promise.all([rpc.stop(), control.stop()]);
      await producer.exclusively(async () => execution.close());
    },
  };
}

/** One round of the clock. After a failure, it assumes that anvil was restarted, and reads its chain again. */
function dueRound(
  producer: BlockProducer,
  { execution, state }: { execution: Execution; state: ChainState },
): () => Promise<void> {
  let failed = false;
  return async () => {
    try {
      if (failed) {
        await producer.exclusively(async () => {
          await execution.askAll(impersonations());
          await state.readAnew();
        });
      }
      await producer.round();
      failed = false;
    } catch (error) {
      failed = true;
      process.stderr.write(`block production failed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
}
