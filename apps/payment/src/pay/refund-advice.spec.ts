import type { JobRefund } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { refundAdvice } from './refund-advice.ts';

const to = `0x${'ab'.repeat(20)}`;
const one = (changes: Partial<JobRefund>): JobRefund => ({
  amountWei: '100000000000000000',
  status: 'due',
  ...changes,
});
const texts = (...returns: JobRefund[]) => refundAdvice(returns).map(({ text }) => text);

describe('refundAdvice (design § 4: all money ends as executed, returned or held)', () => {
  it('is empty when all money pays for orders', () => {
    expect(texts()).toEqual([]);
  });

  it('shows pending and finished returns', () => {
    expect(texts(one({ to }), one({ status: 'returned', to }), one({ status: 'returned', to }))).toEqual([
      '0.1 HYPE was not used for this job. It is being refunded.',
      '0.2 HYPE was not used for this job. It was refunded, less the network fee, to 0xaba...ab.',
    ]);
  });

  it('shows the reason for held money', () => {
    expect(texts(one({ status: 'held', reason: 'it came from a contract' }))).toEqual([
      '0.1 HYPE was not used for this job. The operator holds it: it came from a contract. Contact support.',
    ]);
  });
});
