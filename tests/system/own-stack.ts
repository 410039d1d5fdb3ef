import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningStack, startStack } from '@maker/local-stack';

/** A stack for one test file: what it does to clocks and services disturbs no other test. */
export async function startOwnStack(): Promise<RunningStack> {
  const directory = await mkdtemp(join(tmpdir(), 'maker-stack-'));
  const running = await startStack({ directory, ports: 'free', parts: 'services' });
  return {
    ...running,
    async stop() {
      await running.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
