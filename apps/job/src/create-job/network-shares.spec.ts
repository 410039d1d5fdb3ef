import { describe, expect, it } from 'vitest';
import { networksOf } from '../network/networks.ts';
import { NetworkShares } from './network-shares.ts';

describe('NetworkShares', () => {
  const of = (...jobs: readonly (readonly [string, number, evictable?: number])[]) =>
    new NetworkShares(
      jobs.map(([address, count, evictable = count]) => ({ networks: networksOf(address), count, evictable })),
    );

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

  it('takes from the next network if the largest gives none', () => {
    const shares = of(['203.0.113.1', 9, 0], ['198.51.100.1', 5], ['2001:db8:1:1::/64', 4]);
    expect(shares.givesWayTo(networksOf('192.0.2.1'))).toBe('198.51.100.0/24');
    shares.remove(networksOf('198.51.100.1'));
    shares.remove(networksOf('198.51.100.1'));
    expect(shares.givesWayTo(networksOf('192.0.2.1'))).toBe('2001:db8:1::/48');
  });

  it('takes nothing where no larger network gives', () => {
    const shares = of(['203.0.113.1', 9, 0], ['198.51.100.1', 2, 0], ['192.0.2.1', 1]);
    expect(shares.givesWayTo(networksOf('192.0.2.1'))).toBeUndefined();
    expect(shares.givesWayTo(networksOf('2001:db8:1:1::/64'))).toBeUndefined();
  });

  it('searches its own network before smaller ones', () => {
    const shares = of(['203.0.113.1', 9, 0], ['198.51.100.1', 3, 3], ['198.51.100.2', 1], ['192.0.2.1', 3]);
    expect(shares.givesWayTo(networksOf('198.51.100.2'))).toBe('198.51.100.1/32');
    expect(shares.givesWayTo(networksOf('198.51.100.1'))).toBeUndefined();
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
