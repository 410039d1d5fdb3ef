import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChainClock, type RunningStack, type StackOptions, startStack } from '@maker/local-stack';

/** Four seconds of the chain in each of ours: jobs wait for blocks and the chain's clock, and not for the machine. */
export const FAST_CLOCK: ChainClock = { blockMs: 250, secondsPerBlock: 1 };

/**
 * A stack for one test file: what it does to clocks and services disturbs no other test.
 * @param executionWindowSeconds time over which a job's orders are spread; as many as fit into a block at the least
 * @param more environment of services that differs from the stack's own
 * @param replicas how many of each service, where not one
 * @param place what stands between services and a server, how fast the chain lives, and who is told by webhooks
 */
export async function startOwnStack(
  executionWindowSeconds = 20,
  more: NonNullable<StackOptions['environment']> = {},
  replicas: NonNullable<StackOptions['replicas']> = {},
  place: Pick<StackOptions, 'reach' | 'clock' | 'webhookEndpointsFile'> = {},
): Promise<RunningStack> {
  const directory = await mkdtemp(join(tmpdir(), 'maker-stack-'));
  const pace = String(executionWindowSeconds);
  const environment = {
    ...more,
    job: { JOB_EXECUTION_WINDOW_SECONDS: pace, ...more.job },
  };
  const running = await startStack({
    directory,
    ports: 'free',
    parts: 'services',
    environment,
    replicas,
    clock: FAST_CLOCK,
    ...place,
  });
  return {
    ...running,
    async stop() {
      await running.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
