import type { SignedTerms } from '@maker/contracts';
import { JOB_STATUSES, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../job/job.fixture.ts';
import { changeReturnAddress, proposeReturnAddress, ReturnAddressIsFixed } from './change-return-address.ts';

const ADDRESS = `0x${'b1'.repeat(20)}`;
const TERMS = { ...jobFixture().terms, signature: `0x${'6'.repeat(130)}` } as SignedTerms;
const received = (hype: string) => {
  const job = jobFixture();
  return { ...job, assessment: { ...job.assessment, inTimeWei: parseHype(hype) } };
};

describe('changeReturnAddress', () => {
  it('adds and changes the address while nothing has arrived', () => {
    const job = jobFixture({ returnAddress: `0x${'c1'.repeat(20)}` });
    expect(changeReturnAddress(job, ADDRESS, TERMS)).toEqual({
      before: job,
      after: { ...job, returnAddress: ADDRESS, requestedReturnAddress: ADDRESS, terms: TERMS },
    });
  });

  it('changes it after a part of the payment came', () => {
    expect(changeReturnAddress(received('0.1'), ADDRESS, TERMS).after).toMatchObject({
      returnAddress: ADDRESS,
      requestedReturnAddress: ADDRESS,
    });
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'pending_payment'))('refuses while the job is %s', (status) => {
    expect(() => changeReturnAddress(jobFixture({ status }), ADDRESS, TERMS)).toThrow(ReturnAddressIsFixed);
  });
});

describe('proposeReturnAddress', () => {
  const unknown = jobFixture({ status: 'active', payment: { payer: null, amountWei: 5n } });
  const heldRefund = { status: 'held', to: null, amountWei: parseHype('0.1') } as const;

  it.each(['active', 'completed'] as const)('notes an address of an %s job without known payer', (status) => {
    const job = { ...unknown, status };
    const { after } = proposeReturnAddress(job, ADDRESS, []);
    expect(after).toEqual({ ...job, proposedReturnAddress: ADDRESS });
  });

  it('notes an address for senderless money of unpaid jobs', () => {
    const expired = jobFixture({ status: 'payment_expired' });
    expect(proposeReturnAddress(expired, ADDRESS, [heldRefund]).after.proposedReturnAddress).toBe(ADDRESS);
    expect(() => proposeReturnAddress(expired, ADDRESS, [{ ...heldRefund, amountWei: 5n }])).toThrow(
      ReturnAddressIsFixed,
    );
    expect(() => proposeReturnAddress(expired, ADDRESS, [])).toThrow(ReturnAddressIsFixed);
    expect(() => proposeReturnAddress(expired, ADDRESS, [{ ...heldRefund, to: ADDRESS }])).toThrow(
      ReturnAddressIsFixed,
    );
  });

  it('never replaces an address that is named or known', () => {
    const paid = { payment: { payer: ADDRESS, amountWei: 5n }, returnAddress: ADDRESS };
    expect(() => proposeReturnAddress({ ...unknown, ...paid }, ADDRESS, [])).toThrow(ReturnAddressIsFixed);
    const named = { ...unknown, requestedReturnAddress: ADDRESS, returnAddress: ADDRESS };
    expect(() => proposeReturnAddress(named, ADDRESS, [heldRefund])).toThrow(ReturnAddressIsFixed);
  });
});
