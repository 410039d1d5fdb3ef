import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningStack } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

/** Writes a stack's logs to `test-results/<name>`, for a diagnosis. */
export async function keepLogs({ directory }: RunningStack, name: string): Promise<void> {
  await cp(join(directory, 'logs'), join(WORKSPACE_ROOT, 'test-results', name), { recursive: true });
}
