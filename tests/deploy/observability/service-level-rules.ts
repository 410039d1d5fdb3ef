import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { SERVICE_LEVELS_FILE } from '../../../tools/dashboards/service-levels.ts';
import { findTool } from '../../../tools/go-tool.ts';
import type { Rule } from './rule-files.ts';

const run = promisify(execFile);

/** Sloth's rules from the declared service levels: recorded ratios over each window, and alerts on burn rates of budgets. */
export async function serviceLevelRules(): Promise<{ groups: { name: string; rules: Rule[] }[] }> {
  const windows = join(SERVICE_LEVELS_FILE, '..', 'service-level-windows');
  const { stdout } = await run(await findTool('sloth'), [
    ...['generate', '--no-log', '--disable-default-slo-plugins'],
    ...['--slo-period-windows-path', windows, '--input', SERVICE_LEVELS_FILE],
  ]);
  return parse(stdout);
}
