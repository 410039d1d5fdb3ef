import { expect, it } from 'vitest';
import { honestReceipt } from '../honest-receipt.fixture.ts';
import { Evidence } from './evidence.ts';
import { schedule } from './schedule-rules.ts';

it.each([
  [138_240, '138.2 s'],
  [138_000, '138 s'],
  [320 / 3, '0.1067 s'],
])('prints an interval of %d ms readably', (slotMs, text) => {
  const { receipt, facts } = honestReceipt(2);
  const slower = { ...receipt, rules: { ...receipt.rules, slotMs } };
  const statement = schedule.statement?.(new Evidence(slower, facts));
  expect(statement).toContain(`one standard order every ${text}.`);
});
