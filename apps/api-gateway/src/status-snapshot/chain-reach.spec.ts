import { describe, expect, it } from 'vitest';
import { ChainReach } from './chain-reach.ts';

const [EARLY, LATE] = ['2026-11-28T12:00:00.000Z', '2026-11-28T12:00:30.000Z'];

describe('the reach of the chain', () => {
  it('is added to a JSON object only during an outage', () => {
    const reach = new ChainReach(() => 0);
    expect(reach.addTo('{"a":1}')).toBe('{"a":1}');
    reach.receive({ unreachableSince: EARLY });
    expect(JSON.parse(reach.addTo('{"a":1}'))).toEqual({ a: 1, chainUnreachableSince: EARLY });
    reach.receive({});
    expect(reach.addTo('{"a":1}')).toBe('{"a":1}');
  });

  it('keeps the earliest time of replicas that scan in turn', () => {
    const reach = new ChainReach(() => 0);
    reach.receive({ unreachableSince: EARLY });
    reach.receive({ unreachableSince: LATE });
    expect(reach.unreachableSince).toBe(EARLY);
  });

  it('is unknown without messages', () => {
    let now = 0;
    const reach = new ChainReach(() => now);
    reach.receive({ unreachableSince: EARLY });
    now = 20_001;
    expect(reach.unreachableSince).toBeUndefined();
  });
});
