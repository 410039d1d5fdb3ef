import { isUnguessableKey, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { createIdempotencyKey, IdempotencyKeys, jobRequest, openJob } from './submission.ts';

const TOKEN = {
  tokenAddress: `0x${'a'.repeat(40)}`,
  liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
};

describe('jobRequest', () => {
  it('sends the amount as a number in HYPE', () => {
    expect(jobRequest(TOKEN, parseHype('0.5'), '')).toEqual({ tokenAddress: TOKEN.tokenAddress, paymentAmount: 0.5 });
    const fine = jobRequest(TOKEN, parseHype('0.3000000000000001'), '');
    expect(fine.paymentAmount).toBe('0.3000000000000001');
  });

  it('adds the return address only when there is one', () => {
    const returnAddress = `0x${'b'.repeat(40)}`;
    expect(jobRequest(TOKEN, parseHype('2'), ` ${returnAddress} `)).toMatchObject({ returnAddress });
  });
});

describe('openJob', () => {
  it('keeps the initial data of the payment step', () => {
    const response = {
      jobId: `job_${'0'.repeat(32)}`,
      paymentAddress: `0x${'c'.repeat(40)}`,
      paymentAmount: 0.5,
      paymentAmountWei: '500000000000000000',
      paymentDeadline: '2026-01-01T00:15:00.000Z',
    };
    const { paymentAmount: _, ...kept } = response;
    expect(openJob(TOKEN, response, new Date(0))).toEqual({
      ...kept,
      token: TOKEN,
      createdAt: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('openJob of an answer with nothing beyond the specification', () => {
  it('converts the amount from its number (specification § 3)', () => {
    const answer = {
      jobId: 'j',
      paymentAddress: '0x1',
      paymentAmount: 0.3,
      paymentDeadline: '2026-01-01T00:15:00.000Z',
    };
    expect(openJob(TOKEN, answer, new Date(0)).paymentAmountWei).toBe('300000000000000000');
  });
});

describe('IdempotencyKeys', () => {
  it('are UUIDs that no one can guess', () => {
    const key = createIdempotencyKey();
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUnguessableKey(key)).toBe(true);
    expect(createIdempotencyKey()).not.toBe(key);
  });

  it('keeps the key until the content changes', () => {
    let count = 0;
    const keys = new IdempotencyKeys(() => `key ${++count}`);
    const first = jobRequest(TOKEN, parseHype('1'), '');
    expect(keys.keyFor(first)).toBe('key 1');
    expect(keys.keyFor({ ...first })).toBe('key 1');
    expect(keys.keyFor({ ...first, paymentAmount: 2 })).toBe('key 2');
  });
});
