import { expect, it } from 'vitest';
import { SCREEN_STATES } from '../../tests/e2e/actions/screens.ts';
import { previews } from './screen-states.ts';

it('previews every screen that the browser tests look at', () => {
  expect(previews().screens.map(({ name }) => name)).toEqual(SCREEN_STATES.map(({ name }) => name));
});
