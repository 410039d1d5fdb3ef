import { runCommand } from '@maker/local-stack/command';
import { BIOME, runTool } from './tool.ts';

/** Checks the style, then the directions of imports (package.json, floors.json). */
const CHECKS = [
  { program: BIOME, fixed: ['check', '--error-on-warnings'] },
  { program: process.execPath, fixed: ['tools/floors/main.ts'] },
];

await runCommand(async ({ args, signal }) => {
  let worst = 0;
  for (const { program, fixed } of CHECKS) {
    const { code } = await runTool(program, [...fixed, ...args], { signal, output: 'show' });
    worst = Math.max(worst, code);
  }
  return worst;
});
