import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';
import { chooseRounds, type TestRound } from './test-phases.ts';

/** All rounds, those that are run by their names too. */
const ROUNDS = chooseRounds(['tests/'], 'full');

function roundsOf(file: string): TestRound[] {
  return ROUNDS.filter(({ phases }) => phases.some(({ files }) => files.includes(file)));
}

it('runs every file of system tests in exactly one round', () => {
  for (const file of globSync('tests/system/*.spec.ts', { cwd: WORKSPACE_ROOT })) {
    expect(roundsOf(file), file).toHaveLength(1);
  }
});

it('starts the shared stack for its tests only', () => {
  for (const file of globSync('tests/{system,e2e}/*.{spec,e2e}.ts', { cwd: WORKSPACE_ROOT })) {
    const asks = file.endsWith('.e2e.ts') || readFileSync(join(WORKSPACE_ROOT, file), 'utf8').includes('readStack()');
    const [round] = roundsOf(file);
    expect(round?.usesSharedStack, file).toBe(asks);
  }
});

it('starts the shared stack once', () => {
  const shared = chooseRounds([], 'full').map(({ usesSharedStack }) => usesSharedStack);
  const starts = shared.filter((uses, index) => uses && !shared[index - 1]);
  expect(starts).toHaveLength(1);
});
