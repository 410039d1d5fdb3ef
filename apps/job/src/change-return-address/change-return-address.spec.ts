import { JOB_STATUSES, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../job/job.fixture.ts';
import { changeReturnAddress, ReturnAddressIsFixed } from './change-return-address.ts';

const ADDRESS = `0x${'b1'.repeat(20)}`;
const received = (hype: string) => {
  const job = jobFixture();
  return { ...job, assessment: { ...job.assessment, inTimeWei: parseHype(hype) } };
};

describe('changeReturnAddress', () => {
  it('adds and changes the address while nothing has arrived', () => {
    const job = jobFixture({ returnAddress: `0x${'c1'.repeat(20)}` });
    expect(changeReturnAddress(job, ADDRESS)).toEqual({
      before: job,
      after: { ...job, returnAddress: ADDRESS, requestedReturnAddress: ADDRESS },
    });
  });

  it('is not blocked by dust of a stranger', () => {
    expect(changeReturnAddress(received('0.0002'), ADDRESS).after.returnAddress).toBe(ADDRESS);
  });

  it('refuses once a part of the payment has arrived', () => {
    expect(() => changeReturnAddress(received('0.1'), ADDRESS)).toThrow(ReturnAddressIsFixed);
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'pending_payment'))('refuses while the job is %s', (status) => {
    expect(() => changeReturnAddress(jobFixture({ status }), ADDRESS)).toThrow(ReturnAddressIsFixed);
  });
});
