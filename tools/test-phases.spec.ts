import { globSync } from 'node:fs';
import { WORKSPACE_ROOT } from '@maker/local-stack';
import { expect, it } from 'vitest';
import { chooseRounds } from './test-phases.ts';

it('runs every file of system tests in exactly one round', () => {
  for (const file of globSync('tests/system/*.spec.ts', { cwd: WORKSPACE_ROOT })) {
    const rounds = chooseRounds([file], 'full').filter(({ phases }) =>
      phases.some(({ files }) => files.includes(file)),
    );
    expect(rounds, file).toHaveLength(1);
  }
});
