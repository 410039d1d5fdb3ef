import { runCommand } from '@maker/local-stack/command';
import { packagedProgram, runTool } from './tool.ts';

/** Builds these; the others read their types. */
const BUILT = ['-b'];
/** The specs beside the code (no build contains them), the tools, and the tests of the whole product. */
const BESIDE = [
  ['-p', 'tsconfig.specs.json'],
  ['-p', 'tools'],
  ['-p', 'tests'],
];

await runCommand(async ({ signal }) => {
  const check = async (project: readonly string[]) =>
    (await runTool(packagedProgram('tsc'), project, { signal, output: 'show' })).code;
  return (await check(BUILT)) || Math.max(...(await Promise.all(BESIDE.map(check))));
});
