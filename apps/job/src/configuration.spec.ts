import { LEAST_USEFUL_PAYMENT_WEI, parseHype } from '@maker/rules';
import { expect, it } from 'vitest';
import { jobEnvironment } from './configuration.ts';

const minimum = (hype?: string) => jobEnvironment.shape.MINIMUM_PAYMENT_HYPE.parse(hype);

it.each(['0', '-1', '0.01', '0.1434'])('rejects a payment that buys nothing: %s', (hype) => {
  expect(minimum(hype)).toBe(LEAST_USEFUL_PAYMENT_WEI);
});

it('accepts 0.25 HYPE by default, and a configured minimum', () => {
  expect(minimum()).toBe(parseHype('0.25'));
  expect(minimum('0.15')).toBe(parseHype('0.15'));
});
