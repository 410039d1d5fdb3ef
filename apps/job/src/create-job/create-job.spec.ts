import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../job/job.fixture.ts';
import { planFixture } from '../plan/market.fixture.ts';
import {
  assertFewUnpaid,
  assertNoWallet,
  hashRequest,
  IdempotencyKeyReused,
  jobUnderClaim,
  newJob,
  paymentDeadline,
  ReturnAddressIsWallet,
  TooManyCreations,
  TooManyUnpaidJobs,
} from './create-job.ts';

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

it.each([
  [new IdempotencyKeyReused(), 'IdempotencyKeyReused', 'IDEMPOTENCY_KEY_REUSED', 'use a new key'],
  [new ReturnAddressIsWallet(), 'ReturnAddressIsWallet', 'INVALID_REQUEST', 'an address of your own'],
  [new TooManyUnpaidJobs('three wait'), 'TooManyUnpaidJobs', 'TOO_MANY_OPEN_JOBS', 'three wait'],
  [new TooManyCreations(), 'TooManyCreations', 'OVERLOADED', 'try again in a minute'],
])('answers %s with its code and a remedy', (error, name, code, words) => {
  expect(error).toMatchObject({ name, code, message: expect.stringContaining(words) });
});

it('rejects a job wallet as return address', () => {
  const request = { tokenAddress: '0x1', paymentAmountWei: minimum };
  expect(() => assertNoWallet({ ...request, returnAddress: '0x2' }, new Set(['0x2']))).toThrow(ReturnAddressIsWallet);
  expect(() => assertNoWallet({ ...request, returnAddress: '0x3' }, new Set(['0x2']))).not.toThrow();
  expect(() => assertNoWallet(request, new Set(['0x2']))).not.toThrow();
});

it('an idempotency key finds the client’s same request', () => {
  const claim = { apiKeyName: 'anna', keyHash: 'k', requestHash: 'h' };
  const job = jobFixture();
  const claimed = [
    { job: jobFixture({ jobId: 'other' }), claim: { ...claim, keyHash: 'other' } },
    { job: jobFixture({ jobId: 'ben' }), claim: { ...claim, apiKeyName: 'ben' } },
    { job, claim },
  ];
  expect(jobUnderClaim(claim, claimed)).toBe(job);
  expect(jobUnderClaim(claim, claimed.slice(0, 2))).toBeUndefined();
  expect(() => jobUnderClaim({ ...claim, requestHash: 'another' }, claimed)).toThrow(IdempotencyKeyReused);
});

describe('paymentDeadline', () => {
  it('counts from the later of server and chain clock', () => {
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

  it('depends on metadata, not on its order', () => {
    const metadata = { orderId: '1', shop: 'a' };
    const hash = hashRequest({ ...request, metadata });
    expect(hashRequest({ ...request, metadata: { shop: 'a', orderId: '1' } })).toBe(hash);
    expect(hashRequest({ ...request, metadata: { orderId: '2', shop: 'a' } })).not.toBe(hash);
    expect(hash).not.toBe(hashRequest(request));
  });

  it('is the same with empty metadata and with none', () => {
    expect(hashRequest({ ...request, metadata: {} })).toBe(hashRequest(request));
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
    expect(job).toMatchObject({
      jobId: 'job_1',
      tokenAddress: '0x1',
      paymentAddress: '0xW',
      paymentAmountWei: minimum,
    });
    expect(job).toMatchObject({ requestedReturnAddress: null, droppedWei: 0n, createdAtMs: 1 });
    expect(job.assessment).toMatchObject({ sufficient: false, underpaid: false, inTimeWei: 0n });
  });

  it('keeps metadata', () => {
    const metadata = { orderId: '1234' };
    const job = newJob(
      { tokenAddress: '0x1', paymentAmountWei: minimum, metadata },
      { index: 3, address: '0xW' },
      { nowMs: 1, deadlineMs: 2 },
      'job_1',
      planFixture(minimum),
    );
    expect(job).toMatchObject({ metadata });
  });

  it('keeps the return address that the visitor gave', () => {
    const job = newJob(
      { tokenAddress: '0x1', paymentAmountWei: minimum, returnAddress: '0x2' },
      { index: 3, address: '0xW' },
      { nowMs: 1, deadlineMs: 2 },
      'job_1',
      planFixture(minimum),
    );
    expect(job).toMatchObject({ returnAddress: '0x2', requestedReturnAddress: '0x2' });
  });
});
