import { runCommand, seconds } from '@maker/local-stack/command';
import { buildWorkspace } from './build-workspace.ts';

await runCommand(async ({ signal }) => {
  const { code, milliseconds } = await buildWorkspace(signal);
  console.log(code === 0 ? `✓ built (${seconds(milliseconds)})` : '✗ the build failed');
  return code;
});
