import { expect, it } from 'vitest';
import { EXECUTION_PHASES, isActive, isActivePhase } from './execution.ts';
import { startedExecution } from './started-execution.fixture.ts';

it('an execution has work to do in the phases of its course, and afterwards where something is to be settled', () => {
  expect(EXECUTION_PHASES.filter(isActivePhase)).toEqual(['fee', 'trading', 'delivery', 'return']);
  const ended = { ...startedExecution(), phase: 'completed' as const };
  expect(isActive(startedExecution())).toBe(true);
  expect(isActive(ended)).toBe(false);
  expect(isActive({ ...ended, attention: true })).toBe(true);
});
