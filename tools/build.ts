import { runCommand, seconds } from '@maker/local-stack/command';
import { runInWorkspace } from './build-workspace.ts';

await runCommand(async ({ signal }) => {
  const { code, milliseconds } = await runInWorkspace(signal, ['build']);
  console.log(code === 0 ? `✓ built (${seconds(milliseconds)})` : '✗ the build failed');
  return code;
});
