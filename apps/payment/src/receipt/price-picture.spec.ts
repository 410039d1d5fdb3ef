import { PRICE_SCALE } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { PICTURE_SIZE, pricePicture } from './price-picture.ts';
import { orderNumber, receiptOf } from './receipt.fixture.ts';

/** Order `number` is mined in second `number`; prices are whole wei for one unit. */
function bought(number: number, before: number, after: number, paid: number) {
  const x96 = (price: number) => `${BigInt(price) * PRICE_SCALE}`;
  return orderNumber(number, {
    poolPriceBeforeX96: x96(before),
    poolPriceAfterX96: x96(after),
    priceX96: x96(paid),
  });
}

const rules = (seen: number, bandBps: number) => ({
  slotMs: 1000,
  tradingEndsAt: '2026-01-02T12:00:00.000Z',
  latestEndAt: '2026-01-02T13:00:00.000Z',
  seenPriceX96: `${BigInt(seen) * PRICE_SCALE}`,
  slippageBps: 100,
  impactCapBps: 50,
  bandBps,
  orderLifeSeconds: 120,
});
const picture = (orders: Parameters<typeof pricePicture>[0], changes: Parameters<typeof receiptOf>[0] = {}) =>
  pricePicture(orders, receiptOf(changes));

const moment = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();

describe('pricePicture', () => {
  it('draws nothing before two known prices', () => {
    expect(picture([])).toBeUndefined();
    expect(picture([bought(1, 100, 110, 105), orderNumber(2)])).toBeUndefined();
  });

  it('draws the price around each order', () => {
    const drawn = picture([bought(1, 1000, 1500, 1200), bought(2, 1500, 2000, 1800)]);
    // The prices 1000 and 2000 are a bit more than an eighth from the edges: the margin is 8 % of the range.
    const [low, middle, high] = ['186.2', '100.0', '13.8'];
    expect(drawn?.line).toBe(`M0.0 ${low}L0.0 ${middle}L640.0 ${middle}L640.0 ${high}`);
    expect(drawn?.dots).toBe('M0.0 151.7h0M640.0 48.3h0');
    expect([drawn?.lowestX96, drawn?.highestX96]).toEqual([920n * PRICE_SCALE, 2080n * PRICE_SCALE]);
  });

  it('shades the band when near, mentions it when far', () => {
    const orders = [bought(1, 1000, 1010, 1005), bought(2, 1010, 1020, 1015)];
    const near = picture(orders, { rules: rules(1000, 500) });
    expect(near?.limitX96).toBe(1050n * PRICE_SCALE);
    expect(near?.limitY).toBeGreaterThan(0);
    expect(near?.limitY).toBeLessThan(PICTURE_SIZE.height / 4);
    const far = picture(orders, { rules: rules(1000, 5000) });
    expect(far).toMatchObject({ limitX96: 1500n * PRICE_SCALE });
    expect(far?.limitY).toBeUndefined();
  });

  it('shades pauses between first and last order', () => {
    const reason = 'gas_guardrail' as const;
    const pauses = [
      { reason, since: moment(0), until: moment(1) },
      { reason, since: moment(2), until: moment(3) },
      { reason, since: moment(4) },
    ];
    const drawn = picture([bought(1, 1, 2, 1), bought(5, 1, 2, 1)], { pauses });
    expect(drawn?.pauses).toEqual([
      { x: 160, width: 160 },
      { x: 480, width: 160 },
    ]);
  });

  it('stays small for ten thousand orders', () => {
    const orders = Array.from({ length: 10_000 }, (_, index) => bought(index + 1, 100 + index, 101 + index, 101));
    const drawn = picture(orders);
    expect(drawn?.count).toBe(10_000);
    expect(drawn?.line.length).toBeLessThan(6000);
    expect(drawn?.dots.startsWith('M0.0 ')).toBe(true);
    expect(drawn?.dots).toContain('M640.0 ');
    expect(drawn?.rows).toHaveLength(20);
  });

  it('hides a price that did not move', () => {
    expect(picture([bought(1, 7, 7, 7), bought(2, 7, 7, 7)])).toBeUndefined();
    // The pool's fee separates its price from the paid price; both move by less than 0.1 %.
    expect(picture([bought(1, 100_000, 100_010, 100_300), bought(2, 100_010, 100_020, 100_310)])).toBeUndefined();
  });

  it.each([
    ['the price moved', [100_000, 100_100], {}],
    [
      'the job paused',
      [100_000, 100_000],
      { pauses: [{ reason: 'gas_guardrail' as const, since: moment(1), until: moment(2) }] },
    ],
    ['the price came near the band', [100_000, 100_000], { rules: rules(100_000, 10) }],
  ])('shows that %s', (_, [from = 0, to = 0], changes) => {
    const drawn = picture([bought(1, from, from, from), bought(3, to, to, to)], changes);
    expect(drawn?.line).toMatch(/^M0\.0/);
    expect(drawn?.line).not.toContain('NaN');
  });
});
