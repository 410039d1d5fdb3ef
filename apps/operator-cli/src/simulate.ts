import { CommandError } from './command-error.ts';
import { simulateJob } from './simulation/simulate-job.ts';

try {
  process.stdout.write(await simulateJob(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`✗ ${error.message}\n`);
  process.exitCode = 1;
}
