import { expect, it } from 'vitest';
import { rulesWith, statement } from './each-problem.fixture.ts';
import { schedule } from './schedule-rules.ts';

it.each([
  [138_240, '138.2 s'],
  [138_000, '138 s'],
  [320 / 3, '0.1067 s'],
])('prints an interval of %d ms readably', (slotMs, text) => {
  expect(statement(schedule, rulesWith({ slotMs }))).toContain(`one standard order every ${text}.`);
});
