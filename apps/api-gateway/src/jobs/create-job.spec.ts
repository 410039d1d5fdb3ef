import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJobCommand } from './create-job.ts';

const tokenAddress = `0x${'1'.repeat(40)}` as const;
const CALLER = { apiKeyName: 'web', address: '203.0.113.1' };

describe('createJobCommand', () => {
  it.each([
    [0.5, '500000000000000000'],
    [0.25, '250000000000000000'],
    [1000, '1000000000000000000000'],
    [0.1 + 0.2, '300000000000000040'],
  ])('reads %d HYPE exactly in wei', (paymentAmount, paymentAmountWei) => {
    expect(createJobCommand({ tokenAddress, paymentAmount }, undefined, CALLER)).toEqual({
      tokenAddress,
      paymentAmountWei,
      apiKeyName: 'web',
      clientAddress: '203.0.113.1',
    });
  });

  it('reads every accepted budget as its decimal text', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.25, max: 1000, noNaN: true }), (paymentAmount) => {
        const { paymentAmountWei } = createJobCommand({ tokenAddress, paymentAmount }, undefined, CALLER);
        const digits = paymentAmountWei.padStart(19, '0');
        expect(Number(`${digits.slice(0, -18)}.${digits.slice(-18)}`)).toBe(paymentAmount);
      }),
    );
  });

  it.each([1e-19, 5e-324])('refuses %d HYPE, which is finer than a wei', (paymentAmount) => {
    const create = () => createJobCommand({ tokenAddress, paymentAmount }, undefined, CALLER);
    expect(create).toThrow(expect.objectContaining({ code: 'AMOUNT_OUT_OF_RANGE' }));
  });

  it('passes metadata on unchanged', () => {
    const metadata = { orderId: '1234' };
    expect(createJobCommand({ tokenAddress, paymentAmount: 1, metadata }, undefined, CALLER)).toMatchObject({
      metadata,
    });
  });

  it('passes on the return address and the idempotency key', () => {
    const returnAddress = `0x${'2'.repeat(40)}` as const;
    expect(createJobCommand({ tokenAddress, paymentAmount: 1, returnAddress }, 'key-1', CALLER)).toMatchObject({
      returnAddress,
      idempotencyKey: 'key-1',
    });
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(201)])('refuses the idempotency key %j', (key) => {
    expect(() => createJobCommand({ tokenAddress, paymentAmount: 1 }, key, CALLER)).toThrow('idempotency-key');
  });
});
