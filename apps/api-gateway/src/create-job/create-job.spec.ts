import { InvalidAmountError } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { createJobCommand } from './create-job.ts';

const tokenAddress = `0x${'1'.repeat(40)}` as const;

describe('createJobCommand', () => {
  it.each([
    [0.5, '500000000000000000'],
    [0.25, '250000000000000000'],
    [1000, '1000000000000000000000'],
    [0.1 + 0.2, '300000000000000040'],
  ])('reads %d HYPE as the decimal that was written, to the wei', (paymentAmount, paymentAmountWei) => {
    expect(createJobCommand({ tokenAddress, paymentAmount }, undefined, 'web')).toEqual({
      tokenAddress,
      paymentAmountWei,
      apiKeyName: 'web',
    });
  });

  it.each([1e-19, 1e21])('refuses %d, which is no plain decimal of at most 18 decimals', (paymentAmount) => {
    expect(() => createJobCommand({ tokenAddress, paymentAmount }, undefined, 'web')).toThrow(InvalidAmountError);
  });

  it('passes on the return address and the idempotency key', () => {
    const returnAddress = `0x${'2'.repeat(40)}` as const;
    expect(createJobCommand({ tokenAddress, paymentAmount: 1, returnAddress }, 'key-1', 'web')).toMatchObject({
      returnAddress,
      idempotencyKey: 'key-1',
    });
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(201)])('refuses the idempotency key %j', (key) => {
    expect(() => createJobCommand({ tokenAddress, paymentAmount: 1 }, key, 'web')).toThrow('idempotency-key');
  });
});
