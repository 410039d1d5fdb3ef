import { runCommand } from '@maker/local-stack/command';
import { packagedProgram, runTool } from './tool.ts';

await runCommand(async ({ args, signal }) => {
  const { code } = await runTool(packagedProgram('biome'), ['check', '--write', ...args], { signal, output: 'show' });
  return code;
});
