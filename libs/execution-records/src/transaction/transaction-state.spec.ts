import { expect, it } from 'vitest';
import { ENTERED_FROM, OPEN_STATES, TRANSACTION_STATES, UNCONFIRMED_STATES } from './transaction-state.ts';

it('a transaction goes from signed to final, and back to broadcast where its block leaves the chain (design § 5)', () => {
  const steps = TRANSACTION_STATES.flatMap((to) => ENTERED_FROM[to].map((from) => `${from} → ${to}`));
  expect(steps).toEqual([
    'signed → broadcast',
    'mined → broadcast',
    'signed → mined',
    'broadcast → mined',
    'mined → final',
  ]);
});

it('a nonce is taken until it is mined, and a transaction is looked after until it is final', () => {
  expect(UNCONFIRMED_STATES).toEqual(['signed', 'broadcast']);
  expect(OPEN_STATES).toEqual(['signed', 'broadcast', 'mined']);
});
