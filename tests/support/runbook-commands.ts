import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack';

/** Runbooks whose commands a test runs, after the fault that they are for: `recovery-drill` in a test of its own, the others in `tests/deploy/observability/runbooks.prometheus.ts`. */
export const RUN_BY_A_MACHINE = [
  'api-keys',
  'credit-dropped',
  'executions-paused',
  'money-held',
  'money-on-hypercore',
  'money-unclaimed',
  'recovery-drill',
  'webhooks-not-taken',
] as const;

/** See {@link RUN_BY_A_MACHINE}. */
export type RunRunbook = (typeof RUN_BY_A_MACHINE)[number];

/** The commands of a runbook's blocks, in their order: those of `sh`. What stands in `console` needs a cluster. */
export function commandsIn(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block?.trim().split('\n') ?? []);
}

/** The commands of a runbook. */
export async function runbookCommands(name: RunRunbook): Promise<string[]> {
  return commandsIn(await readFile(join(WORKSPACE_ROOT, 'docs/runbooks', `${name}.md`), 'utf8'));
}
