import { expect, it } from 'vitest';
import { addReason } from './held-reason.ts';

it('names each reason for held money once', () => {
  expect(addReason(null, 'a')).toBe('a');
  expect(addReason(addReason('a', 'b'), 'a')).toBe('a; b');
});
