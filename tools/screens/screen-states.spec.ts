import { expect, it } from 'vitest';
import { SCREEN_STATES } from '../../tests/e2e/actions/screens.ts';
import { previews } from './screen-states.ts';

it('previews every screen without a chain', () => {
  const states = SCREEN_STATES.filter(({ ofChain }) => !ofChain);
  expect(previews().screens.map(({ name }) => name)).toEqual(states.map(({ name }) => name));
});
