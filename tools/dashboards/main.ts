import { parseArgs } from 'node:util';
import { UsageError } from '@maker/local-stack';
import { BuildFailedError, runCommand } from '@maker/local-stack/command';
import { buildApps } from '../build-workspace.ts';
import { packagedProgram, runTool } from '../tool.ts';

const USAGE = 'npm run dashboards -- [--json]';
const PICTURES = 'docs/screens/boards';
const SPECS = 'tests/deploy/observability';

/** Writes the boards into the chart, and then draws them as they are at the end of a scripted day; `--json` draws nothing. */
await runCommand(async ({ args, signal }) => {
  const isQuick = wantsJsonAlone(args);
  const vitest = async (rest: readonly string[], environment: Record<string, string> = {}) =>
    (await runTool(packagedProgram('vitest'), ['run', ...rest], { signal, output: 'show', environment })).code;
  const written = await vitest(['--project', 'unit', `${SPECS}/dashboards.spec.ts`, '--update']);
  if (written !== 0 || isQuick) return written;
  try {
    await buildApps(signal);
  } catch (error) {
    if (!(error instanceof BuildFailedError)) throw error;
    console.log(`✗ ${error.message}`);
    return 1;
  }
  return vitest(['--project', 'observability', `${SPECS}/scripted-day.prometheus.ts`], { BOARD_PICTURES: PICTURES });
});

/** @throws UsageError naming what is not understood */
function wantsJsonAlone(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean' } } }).values.json ?? false;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}; usage: ${USAGE}`);
  }
}
