import { describe, expect, it } from 'vitest';
import { parseHype } from './amounts.ts';
import { assessDeposits } from './deposits.ts';

const DEADLINE = 1_000_000;
const required = parseHype('0.5');
const deposit = (amount: string, at: number) => ({ amountWei: parseHype(amount), blockTimestampMs: at });

describe('deposits (design § 4)', () => {
  it('add up before the deadline', () => {
    const assessment = assessDeposits([deposit('0.3', 1), deposit('0.2', DEADLINE)], required, DEADLINE);
    expect(assessment).toMatchObject({ sufficient: true, underpaid: false, overpaid: false, late: false });
  });

  it('count by the time of their block: one at the deadline is in time, one after it is late', () => {
    const assessment = assessDeposits([deposit('0.5', DEADLINE + 1)], required, DEADLINE);
    expect(assessment).toMatchObject({ sufficient: false, inTimeWei: 0n, late: true, lateWei: required });
  });

  it('can be under and late at once', () => {
    const assessment = assessDeposits([deposit('0.3', 1), deposit('0.2', DEADLINE + 1)], required, DEADLINE);
    expect(assessment).toMatchObject({ underpaid: true, late: true, overpaid: false });
  });

  it('can be over and late at once', () => {
    const assessment = assessDeposits([deposit('0.6', 1), deposit('0.2', DEADLINE + 1)], required, DEADLINE);
    expect(assessment).toMatchObject({ overpaid: true, late: true, sufficient: true });
  });
});
