import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { assessDeposits } from './deposits.ts';

const required = parseHype('0.5');
const assess = (inTime: string, late: string) => assessDeposits(parseHype(inTime), parseHype(late), required);

describe('deposits (design § 4)', () => {
  it('are enough at exactly the amount', () => {
    expect(assess('0.5', '0')).toMatchObject({ sufficient: true, underpaid: false, overpaid: false, late: false });
  });

  it('are enough at 99 % of the amount', () => {
    expect(assess('0.495', '0')).toMatchObject({ sufficient: true, underpaid: false, overpaid: false });
    expect(assess('0.494999', '0')).toMatchObject({ sufficient: false, underpaid: true });
  });

  it('are neither enough nor short without money', () => {
    expect(assess('0', '0.5')).toMatchObject({ sufficient: false, underpaid: false, late: true, lateWei: required });
  });

  it('can be under and late', () => {
    expect(assess('0.3', '0.2')).toMatchObject({ underpaid: true, late: true, overpaid: false });
  });

  it('can be over and late', () => {
    expect(assess('0.6', '0.2')).toMatchObject({ overpaid: true, late: true, sufficient: true });
  });
});
