import { describe, expect, it } from 'vitest';
import { receiptOf } from './receipt.fixture.ts';
import { fewerOrdersText } from './receipt-headline.ts';

const text = (ordersPlaced: number, standardOrders?: number) =>
  fewerOrdersText(receiptOf({ ordersPlaced, standardOrders, estimate: { lower: 500, upper: 833 } }), true);

describe('fewerOrdersText (design § 4a)', () => {
  it('says nothing of a count within the estimate', () => {
    expect(text(500, 500)).toBeUndefined();
  });

  it('says how many standard orders were merged', () => {
    expect(text(312, 624)).toBe(
      'Fewer orders were placed than estimated. Network fees were high, so orders were merged: the 312 that were placed stand for 624 standard ones.',
    );
  });

  it('says what was not spent', () => {
    expect(text(499, 499)).toMatch(/estimated\. What pauses or a shallow pool left of the budget is not spent\.$/);
    expect(text(499)).toBe(text(499, 499));
  });

  it('blames nothing for an early end', () => {
    const receipt = receiptOf({ ordersPlaced: 100, estimate: { lower: 500, upper: 833 } });
    expect(fewerOrdersText(receipt, false)).toBe('Fewer orders were placed than estimated.');
  });

  it('gives both reasons where both hold', () => {
    expect(text(100, 400)).toMatch(/stand for 400 standard ones\. What pauses/);
  });
});
