import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { assertPaymentAmount, assertTradable, hashRequest, newJob, paymentDeadline } from './create-job.ts';

const minimum = parseHype('0.25');

describe('assertPaymentAmount', () => {
  it.each(['0.25', '0.5', '1000'])('takes %s HYPE (specification § 5)', (hype) => {
    expect(() => assertPaymentAmount(parseHype(hype), minimum)).not.toThrow();
  });

  it.each(['0', '0.249999999999999999', '1000.000000000000000001'])('refuses %s HYPE (specification § 5)', (hype) => {
    expect(() => assertPaymentAmount(parseHype(hype), minimum)).toThrow(
      expect.objectContaining({
        code: 'AMOUNT_OUT_OF_RANGE',
        message: 'paymentAmount must be from 0.25 to 1000 HYPE',
      }),
    );
  });
});

describe('assertTradable', () => {
  it('refuses with the sentence of token-validation', () => {
    const verdict = { isValid: false, errorMessage: 'Selling this token fails', chainTimeMs: 0 };
    expect(() => assertTradable(verdict)).toThrow(
      expect.objectContaining({ code: 'TOKEN_NOT_TRADABLE', message: 'Selling this token fails' }),
    );
  });

  it('falls back to the minimum-liquidity sentence (specification § 8)', () => {
    expect(() => assertTradable({ isValid: false, chainTimeMs: 0 })).toThrow(
      'Token does not meet minimum liquidity requirements',
    );
  });
});

describe('paymentDeadline', () => {
  it('counts from whichever clock is ahead, the server’s or the chain’s (design § 4)', () => {
    expect(paymentDeadline(1000, 400, 900)).toBe(1900);
    expect(paymentDeadline(1000, 4000, 900)).toBe(4900);
  });
});

describe('hashRequest', () => {
  const request = { tokenAddress: '0x1', paymentAmountWei: 5n, returnAddress: '0x2' };

  it('is the same for the same request only', () => {
    const hashes = [
      hashRequest(request),
      hashRequest({ ...request, tokenAddress: '0x3' }),
      hashRequest({ ...request, paymentAmountWei: 6n }),
      hashRequest({ ...request, returnAddress: '0x4' }),
      hashRequest({ tokenAddress: '0x1', paymentAmountWei: 5n }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashRequest({ ...request })).toBe(hashes[0]);
  });
});

describe('newJob', () => {
  it('waits for its payment with nothing received', () => {
    const job = newJob(
      { tokenAddress: '0x1', paymentAmountWei: minimum },
      { index: 3, address: '0xW' },
      { nowMs: 1, deadlineMs: 2 },
      'job_1',
    );
    expect(job).toMatchObject({ status: 'pending_payment', returnAddress: null, walletIndex: 3, paymentDeadlineMs: 2 });
    expect(job.assessment).toMatchObject({ sufficient: false, underpaid: false, inTimeWei: 0n });
  });
});
