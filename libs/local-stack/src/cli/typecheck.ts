import { runCommand } from './command.ts';
import { packagedProgram, runTool } from './tool.ts';

/** What is built, then the specs beside it (which no build contains), then the tests of the whole. */
const PROJECTS = [['-b'], ['-p', 'tsconfig.specs.json'], ['-p', 'tests']];

await runCommand(async ({ signal }) => {
  for (const project of PROJECTS) {
    const { code } = await runTool(packagedProgram('tsc'), project, { signal, output: 'show' });
    if (code !== 0) return code;
  }
  return 0;
});
