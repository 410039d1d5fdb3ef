import { describe, expect, it } from 'vitest';
import { judgeTrade, type TradeOutcome } from './judge-trade.ts';

const plain: TradeOutcome = {
  bought: true,
  buyQuoted: 1_000_000n,
  buyReceived: 1_000_000n,
  buyGas: 120_000n,
  sold: true,
  sellQuoted: 400_000n,
  sellReceived: 400_000n,
  transferred: true,
  transferSent: 500_000n,
  transferReceived: 500_000n,
  reason: '',
};

describe('judgeTrade', () => {
  it('accepts a token without loss, with gas', () => {
    expect(judgeTrade(plain)).toEqual({ kind: 'tradable', buyGas: 120_000n });
  });

  it('allows a rebasing token its units of rounding', () => {
    expect(judgeTrade({ ...plain, buyReceived: 999_998n, transferReceived: 499_999n }).kind).toBe('tradable');
  });

  it('names a fee on the buy, with the share lost', () => {
    expect(judgeTrade({ ...plain, buyReceived: 950_000n })).toEqual({
      kind: 'fee_on_transfer',
      step: 'buy',
      lostBps: 500n,
    });
  });

  it('names a sale fee, also through short V3 payment', () => {
    expect(judgeTrade({ ...plain, sellReceived: 396_000n })).toMatchObject({ step: 'sale', lostBps: 100n });
    expect(judgeTrade({ ...plain, sold: false, sellReceived: 0n, reason: 'IIA' }, 'IIA')).toEqual({
      kind: 'fee_on_transfer',
      step: 'sale',
    });
  });

  it('names a fee on the final transfer', () => {
    expect(judgeTrade({ ...plain, transferReceived: 495_000n })).toMatchObject({ step: 'transfer', lostBps: 100n });
  });

  it('names a token that fails buy, sale or transfer', () => {
    const nothing = { ...plain, bought: false, sold: false, transferred: false, reason: 'closed' };
    expect(judgeTrade(nothing)).toEqual({ kind: 'cannot_buy', reason: 'closed' });
    expect(judgeTrade({ ...plain, sold: false, transferred: false, reason: 'owner only' })).toEqual({
      kind: 'cannot_sell',
      reason: 'owner only',
    });
    expect(judgeTrade({ ...plain, transferred: false, reason: 'no' })).toEqual({
      kind: 'cannot_transfer',
      reason: 'no',
    });
  });

  it('does not judge a transfer of nothing', () => {
    expect(judgeTrade({ ...plain, transferSent: 0n, transferReceived: 0n, transferred: false }).kind).toBe('tradable');
  });
});
