import { expect, it } from 'vitest';
import { SurplusPatience } from './surplus-patience.ts';

it('counts from the first look, so that sending a little again and again holds up nothing', () => {
  const patience = new SurplusPatience();
  expect([10, 11, 30].map((head) => patience.waited('job', head))).toEqual([0, 1, 20]);
  expect(patience.waited('other', 30)).toBe(0);
  patience.forget('job');
  expect(patience.waited('job', 31)).toBe(0);
});
