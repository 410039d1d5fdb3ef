import { expect, it } from 'vitest';
import { searchAgainAt } from './search-again.ts';

const MINUTE_MS = 60_000;

it.each([
  [0, 1],
  [8, 1],
  [80, 10],
  [480, 60],
  [100_000, 60],
])('searches a find of %d minutes ago in %d minutes', (age, wait) => {
  expect(searchAgainAt(0, age * MINUTE_MS).getTime()).toBe((age + wait) * MINUTE_MS);
});
