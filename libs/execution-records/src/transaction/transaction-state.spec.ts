import { expect, it } from 'vitest';
import { ENTERED_FROM, OPEN_STATES, TRANSACTION_STATES, UNCONFIRMED_STATES } from './transaction-state.ts';

it('a transaction moves from signed to final and back', () => {
  const steps = TRANSACTION_STATES.flatMap((to) => ENTERED_FROM[to].map((from) => `${from} → ${to}`));
  expect(steps).toEqual([
    'signed → broadcast',
    'mined → broadcast',
    'signed → mined',
    'broadcast → mined',
    'mined → final',
  ]);
});

it('a nonce is taken until mined, tracked until final', () => {
  expect(UNCONFIRMED_STATES).toEqual(['signed', 'broadcast']);
  expect(OPEN_STATES).toEqual(['signed', 'broadcast', 'mined']);
});
