import { readSwitches, runCommand } from '@maker/local-stack/command';
import { buildApps } from '../build-workspace.ts';
import { packagedProgram, runTool } from '../tool.ts';

const PICTURES = 'docs/screens/boards';
const SPECS = 'tests/deploy/observability';

/** Writes the boards into the chart, then draws them as at the end of a scripted day; with `--json` it draws nothing. */
await runCommand(async ({ args, signal }) => {
  const { json: isQuick } = readSwitches(args, ['json']);
  const vitest = async (rest: readonly string[], environment: Record<string, string> = {}) =>
    (await runTool(packagedProgram('vitest'), ['run', ...rest], { signal, output: 'show', environment })).code;
  const written = await vitest(['--project', 'unit', `${SPECS}/dashboards.spec.ts`, '--update']);
  if (written !== 0 || isQuick) return written;
  await buildApps(signal);
  return vitest(['--project', 'observability', `${SPECS}/scripted-day.prometheus.ts`], { BOARD_PICTURES: PICTURES });
});
