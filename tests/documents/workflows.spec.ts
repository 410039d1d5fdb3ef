import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const WORKSPACE = join(import.meta.dirname, '../..');
const WORKFLOWS = globSync('.github/workflows/*.yaml', { cwd: WORKSPACE });

it.each(WORKFLOWS)('%s pins each action by commit', (path) => {
  const used = [...readFileSync(join(WORKSPACE, path), 'utf8').matchAll(/\buses: *(.+)$/gm)].map(
    ([, action]) => action,
  );
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('Renovate updates them', () => {
  const { extends: presets } = JSON.parse(readFileSync(join(WORKSPACE, 'renovate.json'), 'utf8'));
  expect(presets).toContain('helpers:pinGitHubActionDigests');
});
