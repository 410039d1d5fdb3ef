import { constants } from 'node:os';
import { InvalidExchangesError, RequestLimitsError, UnknownNetworkError } from '@maker/chain';
import { readArguments, UsageError } from './arguments.ts';
import { reportText, works } from './report.ts';
import { RecordingError, run } from './run.ts';

// The first process of a container ignores signals without a handler.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}
const CALLED_WRONGLY = [UsageError, InvalidExchangesError, RequestLimitsError, UnknownNetworkError, RecordingError];
try {
  const sections = await run(readArguments(process.argv.slice(2), process.env));
  console.log(reportText(sections));
  process.exitCode = works(sections) ? 0 : 1;
} catch (error) {
  if (CALLED_WRONGLY.some((kind) => error instanceof kind)) console.error(`✗ ${(error as Error).message}`);
  else console.error(error);
  process.exitCode = 2;
}
