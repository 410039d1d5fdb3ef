import { readSwitches, runCommand } from './command.ts';
import { runUntilStopped } from './run-until-stopped.ts';

await runCommand(({ args, signal }) => {
  const { keep, 'free-ports': freePorts } = readSwitches(args, ['keep', 'free-ports'] as const);
  return runUntilStopped({ signal, keep, freePorts });
});
