import { runCommand } from '@maker/local-stack/command';
import { linter, runTool } from './tool.ts';

await runCommand(async ({ args, signal }) => {
  const { code } = await runTool(linter('biome'), ['check', '--write', ...args], { signal, output: 'show' });
  return code;
});
