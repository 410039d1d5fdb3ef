import { describe, expect, it } from 'vitest';
import { networksOf, widestNetwork } from './networks.ts';

describe('networksOf', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.0/24', '203.0.113.7/32']],
    ['::ffff:203.0.113.7', ['203.0.113.0/24', '203.0.113.7/32']],
    ['2001:db8:1:2ff::/64', ['2001:db8:1::/48', '2001:db8:1:200::/56', '2001:db8:1:2ff::/64']],
    ['2001:db8:1:2ff:3::4', ['2001:db8:1::/48', '2001:db8:1:200::/56', '2001:db8:1:2ff::/64']],
    ['a proxy', ['unknown']],
    [undefined, ['unknown']],
  ])('groups %s', (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
});

it('finds the widest network of a named client', () => {
  expect(widestNetwork('203.0.113.7')).toBe('203.0.113.0/24');
  expect(widestNetwork(undefined)).toBeUndefined();
});
