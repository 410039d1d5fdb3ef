import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChainClock, type RunningStack, type StackOptions, startStack } from '@maker/local-stack';

/** The chain's clock runs four times as fast as ours: jobs wait for blocks and the chain's clock, not for the machine. */
export const FAST_CLOCK: ChainClock = { blockMs: 250, secondsPerBlock: 1 };

/**
 * A stack for one test file, which may change clocks and services without affecting other tests.
 * @param executionWindowSeconds time over which a job's orders are spread; at least as many as fit into a block
 * @param more changes to the services' environment
 * @param replicas of each service, if not one
 * @param place proxies between services and servers, the chain's clock, and endpoints of webhooks
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
