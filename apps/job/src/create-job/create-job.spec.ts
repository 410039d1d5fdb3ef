import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { planFixture } from '../plan/market.fixture.ts';
import { assertFewUnpaid, hashRequest, newJob, paymentDeadline } from './create-job.ts';

const minimum = parseHype('0.25');

describe('assertFewUnpaid', () => {
  const most = { ofClient: 3, inAll: 10 };

  it.each([
    [{ ofClient: 2, inAll: 9 }, undefined],
    [{ ofClient: 3, inAll: 9 }, '3 jobs from your address wait'],
    [{ ofClient: 0, inAll: 10 }, 'Very many jobs wait'],
  ])('of %o says %s', (now, words) => {
    const attempt = () => assertFewUnpaid(now, most);
    if (words === undefined) expect(attempt).not.toThrow();
    else
      expect(attempt).toThrow(
        expect.objectContaining({ code: 'TOO_MANY_OPEN_JOBS', message: expect.stringContaining(words) }),
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
      planFixture(minimum),
    );
    expect(job).toMatchObject({ status: 'pending_payment', returnAddress: null, walletIndex: 3, paymentDeadlineMs: 2 });
    expect(job.assessment).toMatchObject({ sufficient: false, underpaid: false, inTimeWei: 0n });
  });
});
