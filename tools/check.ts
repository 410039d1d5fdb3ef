import { runCommand, seconds } from '@maker/local-stack/command';
import { runInWorkspace } from './build-workspace.ts';

/**
 * The checks before a commit (`nx` of package.json beside this file). They run in parallel, with Nx's cache: a commit after
 * a check waits for nothing. The unit tests are those affected by changes of this work tree.
 */
const CHECKS = ['check-types', 'check-tests', 'check-unused', 'check-style'];

await runCommand(async ({ signal }) => {
  const { code, milliseconds } = await runInWorkspace(signal, CHECKS, {
    projects: ['@maker/tools'],
    atOnce: CHECKS.length,
  });
  if (code === 0)
    console.log(`✓ types, unit tests of what changed, unused code, style and imports (${seconds(milliseconds)})`);
  else if (!signal.aborted) console.error('✗ a check failed, see above');
  return code;
});
