import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningStack } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

/** Leaves a stack's logs in `test-results/<name>`, to find out what went wrong. */
export async function keepLogs({ directory }: RunningStack, name: string): Promise<void> {
  await cp(join(directory, 'logs'), join(WORKSPACE_ROOT, 'test-results', name), { recursive: true });
}
