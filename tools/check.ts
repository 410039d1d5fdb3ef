import { runCommand, seconds } from '@maker/local-stack/command';
import { packagedProgram, runTool } from './tool.ts';

/** A check that needs none of the others. */
interface Check {
  readonly name: string;
  readonly program: string;
  readonly fixed: readonly string[];
}

const TOOLS = ['--conditions=@maker/source'];

/** What a commit must pass, the longest first. Unit tests are those that a change of this work tree can reach. */
const CHECKS: readonly Check[] = [
  { name: 'types', program: process.execPath, fixed: [...TOOLS, 'tools/typecheck.ts'] },
  {
    name: 'unit tests of what changed',
    program: packagedProgram('vitest'),
    fixed: ['run', '--project', 'unit', '--project', 'screens', '--changed', '--passWithNoTests', '--reporter=minimal'],
  },
  { name: 'unused code', program: packagedProgram('knip'), fixed: ['--no-progress', '--cache'] },
  { name: 'style and imports', program: process.execPath, fixed: [...TOOLS, 'tools/lint.ts'] },
];

await runCommand(async ({ signal }) => {
  const codes = await Promise.all(
    CHECKS.map(async ({ name, program, fixed }) => {
      const began = Date.now();
      const { code, output } = await runTool(program, fixed, { signal, output: 'capture' });
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds(Date.now() - began)})`);
      if (code !== 0) console.log(output);
      return code;
    }),
  );
  return Math.max(...codes);
});
