import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJobCommand } from './create-job.ts';

const tokenAddress = `0x${'1'.repeat(40)}` as const;
const CALLER = { apiKeyName: 'web', isPublic: true, address: '203.0.113.1' };
const KEY = '8c1b5f0e-3f0d-4c0a-9f5e-2f1f6f0c9a11';

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
    expect(createJobCommand({ tokenAddress, paymentAmount: 1, returnAddress }, KEY, CALLER)).toMatchObject({
      returnAddress,
      idempotencyKey: KEY,
    });
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(201)])('refuses the idempotency key %j', (key) => {
    expect(() => createJobCommand({ tokenAddress, paymentAmount: 1 }, key, CALLER)).toThrow('idempotency-key');
  });

  it('refuses a guessable idempotency key of a public API key', () => {
    const create = (isPublic: boolean) =>
      createJobCommand({ tokenAddress, paymentAmount: 1 }, 'order-1234', { ...CALLER, isPublic });
    const refusal = { code: 'INVALID_REQUEST', message: expect.stringContaining('idempotency-key: others can guess') };
    expect(() => create(true)).toThrow(expect.objectContaining(refusal));
    expect(create(false)).toMatchObject({ idempotencyKey: 'order-1234' });
  });

  it('passes on the hash of the client’s stop secret', () => {
    const stopSecretHash = 'ab'.repeat(32);
    const command = createJobCommand({ tokenAddress, paymentAmount: 1, stopSecretHash }, undefined, CALLER);
    expect(command).toMatchObject({ stopSecretHash });
  });
});
