import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';
import config from '../vitest.config.ts';

const cwd = WORKSPACE_ROOT;

it('runs each spec in exactly one project', () => {
  const files = (config.test?.projects ?? []).flatMap((project) => {
    if (typeof project !== 'object' || !('test' in project)) throw new Error('a project is written out');
    const { include = [], exclude = [] } = project.test ?? {};
    return globSync([...include], { cwd, exclude: [...exclude, '**/node_modules'] });
  });
  const specs = globSync('{apps,libs,tools,tests}/**/*.{spec.ts,spec.tsx,prometheus.ts}', {
    cwd,
    exclude: ['**/{node_modules,dist}'],
  });
  expect(files.sort()).toEqual(specs.sort());
});

it('lets files follow every target’s command', () => {
  const { nx } = JSON.parse(readFileSync(join(cwd, 'tests', 'package.json'), 'utf8'));
  const commands = Object.values<{ command?: string; options?: { command: string } }>(nx.targets).map(
    ({ command, options }) => command ?? options?.command,
  );
  // Playwright's --project takes every word up to the next option as a project.
  for (const command of commands) expect(command).not.toMatch(/^playwright .*--project(?! .* --)/);
});
