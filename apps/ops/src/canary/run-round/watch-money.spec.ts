import type { JobStatusResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { NewJob } from './begin-job.ts';
import { paidFee, returned } from './watch-money.ts';

const WHOLE = { kind: 'whole', paidWei: parseHype('0.25') } as NewJob;
const SMALL = { kind: 'small', paidWei: parseHype('0.002') } as NewJob;
const FEE = parseHype('0.075');

const status = (fields: object) => fields as JobStatusResponse;
const feeOf = (transfer: object) => status({ receipt: { transfers: [{ kind: 'fee', ...transfer }] } });

describe('the fee of a whole round', () => {
  it('is 30 % of the payment, once in a block', () => {
    expect(paidFee(status({}), WHOLE)).toBeUndefined();
    expect(paidFee(feeOf({ status: 'broadcast', amount: `${FEE}` }), WHOLE)).toBeUndefined();
    expect(paidFee(feeOf({ status: 'mined', amount: `${FEE}` }), WHOLE)).toBe(FEE);
  });

  it('is refused if it is wrong or failed', () => {
    expect(() => paidFee(feeOf({ status: 'final', amount: `${FEE + 1n}` }), WHOLE)).toThrow('0.075 HYPE were expected');
    expect(() => paidFee(feeOf({ status: 'failed', amount: `${FEE}` }), WHOLE)).toThrow('failed');
  });
});

describe('the returned money', () => {
  it('is the rest of a whole round after its end', () => {
    const receipt = { heldWei: '0', returnedWei: '5' };
    expect(returned(status({ status: 'active', receipt }), WHOLE)).toBeUndefined();
    expect(returned(status({ status: 'cancelled', receipt: { ...receipt, returnedWei: '0' } }), WHOLE)).toBeUndefined();
    expect(returned(status({ status: 'cancelled', receipt }), WHOLE)).toBe(5n);
  });

  it('is the payment of a small round less gas', () => {
    expect(returned(status({ status: 'cancelled' }), SMALL)).toBeUndefined();
    expect(returned(status({ returns: [{ status: 'due', amountWei: '9' }] }), SMALL)).toBeUndefined();
    expect(returned(status({ returns: [{ status: 'returned', amountWei: '9', returnedWei: '7' }] }), SMALL)).toBe(7n);
  });

  it('is refused with the reason if held', () => {
    const held = { heldWei: '5', returnedWei: '0', heldReason: 'the payer is not known' };
    expect(() => returned(status({ status: 'cancelled', receipt: held }), WHOLE)).toThrow('the payer is not known');
    const refund = { status: 'held', amountWei: '9', reason: 'too small' };
    expect(() => returned(status({ returns: [refund] }), SMALL)).toThrow('held: too small');
  });
});
