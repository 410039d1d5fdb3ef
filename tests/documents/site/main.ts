/**
 * Builds the documentation site in `docs/.vitepress/dist`, where VitePress refuses dead links, then serves it.
 * `npm run docs`; `npm run docs -- --check` tests its pages with axe instead of serving them.
 */
import { join } from 'node:path';
import { readSwitches, runCommand, WORKSPACE_ROOT } from '@maker/local-stack/command';
import { runTool } from '../../../tools/tool.ts';
import { accessibilityFaults } from './accessibility.ts';

const VITEPRESS = join(WORKSPACE_ROOT, 'docs', '.vitepress', 'node_modules', '.bin', 'vitepress');
const BUILT = join(WORKSPACE_ROOT, 'docs', '.vitepress', 'dist');
const PORT = '4300';

await runCommand(async ({ args, signal }) => {
  const { check } = readSwitches(args, ['check'] as const);
  const { code } = await runTool(VITEPRESS, ['build', 'docs'], { signal, output: 'show' });
  if (code !== 0) return code;
  if (!check) return (await runTool(VITEPRESS, ['preview', 'docs', '--port', PORT], { signal, output: 'show' })).code;
  const faults = await accessibilityFaults(BUILT);
  for (const fault of faults) console.log(`✗ ${fault}`);
  console.log(`checked with axe: ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
});
