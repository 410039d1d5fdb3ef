import { runCommand, seconds } from '@maker/local-stack/command';
import { runInWorkspace } from './build-workspace.ts';

/**
 * What a commit must pass (`nx` of package.json beside this file): all at once, and from Nx's cache where nothing has changed
 * since, so that a commit after a check waits for nothing. Unit tests are those that a change of this work tree can reach.
 */
const CHECKS = ['check-types', 'check-tests', 'check-unused', 'check-style'];

await runCommand(async ({ signal }) => {
  const { code, milliseconds } = await runInWorkspace(signal, CHECKS, {
    projects: ['@maker/tools'],
    atOnce: CHECKS.length,
  });
  if (code === 0)
    console.log(`✓ types, unit tests of what changed, unused code, style and imports (${seconds(milliseconds)})`);
  else if (!signal.aborted) console.error('✗ what failed is above');
  return code;
});
