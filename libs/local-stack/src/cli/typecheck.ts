import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '../paths.ts';
import { runCommand } from './command.ts';
import { packagedProgram, runTool } from './tool.ts';

await runCommand(async ({ signal }) => {
  const tsc = (args: string[]) => runTool(packagedProgram('tsc'), args, { signal, output: 'show' });
  const workspace = await tsc(['-b']);
  if (workspace.code !== 0) return workspace.code;
  if (!existsSync(join(WORKSPACE_ROOT, 'tests'))) return 0;
  return (await tsc(['-p', 'tests'])).code;
});
