import { describe, expect, it } from 'vitest';
import { changedSwitches, DEFAULT_SWITCHES } from './switches.ts';

describe('switches', () => {
  it('are changed by name, and the others stay', () => {
    const traffic = { share: 0.5, tipWei: '5', mostBaseFeeWei: 7n };
    const changed = changedSwitches(DEFAULT_SWITCHES, { jitterMs: 5, otherTraffic: { small: traffic } });
    expect(changed).toEqual({
      ...DEFAULT_SWITCHES,
      jitterMs: 5,
      otherTraffic: { small: { share: 0.5, tipWei: 5n, mostBaseFeeWei: 7n }, big: null },
    });
    expect(changedSwitches(changed, { jitterMs: 0 }).otherTraffic).toEqual(changed.otherTraffic);
  });

  it('rejects unknown names and values', () => {
    expect(() => changedSwitches(DEFAULT_SWITCHES, { systemTransactions: true })).toThrow('systemTransactions');
    expect(() => changedSwitches(DEFAULT_SWITCHES, { jitterMs: -1 })).toThrow('jitterMs');
    expect(() => changedSwitches(DEFAULT_SWITCHES, { inclusionOrder: 'luck' })).toThrow('inclusionOrder');
  });
});
