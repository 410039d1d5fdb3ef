import { describe, expect, it } from 'vitest';
import { NetworkShares, networksOf } from './network-shares.ts';

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

describe('NetworkShares', () => {
  const of = (...jobs: readonly (readonly [string, number])[]) =>
    new NetworkShares(jobs.map(([address, count]) => ({ networks: networksOf(address), count })));

  it('takes from the largest network', () => {
    const shares = of(['203.0.113.1', 3], ['198.51.100.1', 5], ['2001:db8:1:1::/64', 4]);
    expect(shares.givesWayTo(networksOf('192.0.2.1'))).toBe('198.51.100.0/24');
  });

  it('counts a /56 as one however many /64 it has', () => {
    const flood = Array.from({ length: 200 }, (_, index) => [`2001:db8:1:${index.toString(16)}::/64`, 1] as const);
    const shares = of(...flood, ['203.0.113.1', 3]);
    expect(shares.givesWayTo(networksOf('192.0.2.1'))).toBe('2001:db8:1::/48');
    expect(shares.givesWayTo(networksOf('203.0.113.2'))).toBe('2001:db8:1::/48');
  });

  it('gives nothing to the largest network itself', () => {
    const shares = of(['203.0.113.1', 9], ['198.51.100.1', 5]);
    expect(shares.givesWayTo(networksOf('203.0.113.1'))).toBeUndefined();
  });

  it('shares within the largest network', () => {
    const shares = of(['2001:db8:1:101::/64', 9], ['2001:db8:1:201::/64', 2], ['198.51.100.1', 5]);
    expect(shares.givesWayTo(networksOf('2001:db8:1:202::/64'))).toBe('2001:db8:1:100::/56');
    expect(shares.givesWayTo(networksOf('2001:db8:1:102::/64'))).toBe('2001:db8:1:101::/64');
  });

  it('leaves equal shares alone', () => {
    const shares = of(['203.0.113.1', 5], ['198.51.100.1', 4]);
    expect(shares.givesWayTo(networksOf('198.51.100.1'))).toBeUndefined();
    shares.add(networksOf('203.0.113.1'));
    expect(shares.givesWayTo(networksOf('198.51.100.1'))).toBe('203.0.113.0/24');
    shares.remove(networksOf('203.0.113.1'));
    expect(shares.givesWayTo(networksOf('198.51.100.1'))).toBeUndefined();
  });
});
