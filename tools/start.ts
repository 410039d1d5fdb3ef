import { runUntilStopped } from '@maker/local-stack';
import { readSwitches, runCommand } from '@maker/local-stack/command';
import { buildApps } from './build-workspace.ts';
import { STACK_APPS } from './stack-apps.ts';

await runCommand(({ args, signal }) => {
  const { keep, 'free-ports': freePorts } = readSwitches(args, ['keep', 'free-ports'] as const);
  return runUntilStopped({ signal, keep, freePorts, build: (stopped) => buildApps(stopped, STACK_APPS) });
});
