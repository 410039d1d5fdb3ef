import { runCommand } from '@maker/local-stack/command';
import { packagedProgram, runTool } from './tool.ts';

/** What is built, then the specs beside it (which no build contains), then the tools and the tests of the whole. */
const PROJECTS = [['-b'], ['-p', 'tsconfig.specs.json'], ['-p', 'tools'], ['-p', 'tests']];

await runCommand(async ({ signal }) => {
  for (const project of PROJECTS) {
    const { code } = await runTool(packagedProgram('tsc'), project, { signal, output: 'show' });
    if (code !== 0) return code;
  }
  return 0;
});
