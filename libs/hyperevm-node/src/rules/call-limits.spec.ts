import { describe, expect, it } from 'vitest';
import { limitedCall } from './call-limits.ts';

const NOTHING_REFUSED = { refuseDeploylessCalls: false, refuseStateOverrides: false };

describe('a call', () => {
  it('gets 30 M gas by default and at most', () => {
    const gasOf = (gas?: string) => limitedCall([{ to: '0x1', gas }, 'latest'], '0x9', NOTHING_REFUSED)[0];
    expect(gasOf('0x3b9aca00')).toMatchObject({ gas: '0x1c9c380' });
    expect(gasOf()).toMatchObject({ gas: '0x1c9c380' });
    expect(gasOf('0x5208')).toMatchObject({ gas: '0x5208' });
  });

  it('is made at the latest state', () => {
    expect(limitedCall([{ to: '0x1' }, '0xffff', {}], '0x9', NOTHING_REFUSED).slice(1)).toEqual(['0x9', {}]);
  });

  it('without an address, or with overrides, is refused by switch', () => {
    const refusing = { refuseDeploylessCalls: true, refuseStateOverrides: true };
    expect(() => limitedCall([{ data: '0x00' }], '0x9', refusing)).toThrow('missing field `to`');
    expect(() => limitedCall([{ to: '0x1' }, 'latest', {}], '0x9', refusing)).toThrow('too many arguments');
    expect(() => limitedCall([{ to: '0x1' }, 'latest'], '0x9', refusing)).not.toThrow();
    expect(() => limitedCall([{ data: '0x00' }, 'latest', {}], '0x9', NOTHING_REFUSED)).not.toThrow();
  });
});
