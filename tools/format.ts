import { runCommand } from '@maker/local-stack/command';
import { BIOME, runTool } from './tool.ts';

await runCommand(async ({ args, signal }) => {
  const { code } = await runTool(BIOME, ['check', '--write', ...args], { signal, output: 'show' });
  return code;
});
