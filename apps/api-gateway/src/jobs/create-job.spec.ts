import { isUnguessableKey } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { createJobCommand } from './create-job.ts';

const tokenAddress = `0x${'1'.repeat(40)}` as const;
const CALLER = { apiKeyName: 'web', isPublic: true, isOperator: false, address: '203.0.113.1' };
const KEY = '8c1b5f0e-3f0d-4c0a-9f5e-2f1f6f0c9a11';

describe('createJobCommand', () => {
  it('passes on the amount in wei and the caller', () => {
    expect(createJobCommand({ tokenAddress, paymentAmount: 5n }, undefined, CALLER)).toEqual({
      tokenAddress,
      paymentAmountWei: '5',
      apiKeyName: 'web',
      idempotencyKey: expect.toSatisfy(isUnguessableKey),
      clientAddress: '203.0.113.1',
    });
  });

  it('passes metadata on unchanged', () => {
    const metadata = { orderId: '1234' };
    expect(createJobCommand({ tokenAddress, paymentAmount: 1n, metadata }, undefined, CALLER)).toMatchObject({
      metadata,
    });
  });

  it('passes on the return address and the idempotency key', () => {
    const returnAddress = `0x${'2'.repeat(40)}` as const;
    expect(createJobCommand({ tokenAddress, paymentAmount: 1n, returnAddress }, KEY, CALLER)).toMatchObject({
      returnAddress,
      idempotencyKey: KEY,
    });
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(201)])('refuses the idempotency key %j', (key) => {
    expect(() => createJobCommand({ tokenAddress, paymentAmount: 1n }, key, CALLER)).toThrow('idempotency-key');
  });

  it('refuses a guessable idempotency key of a public API key', () => {
    const create = (isPublic: boolean) =>
      createJobCommand({ tokenAddress, paymentAmount: 1n }, 'order-1234', { ...CALLER, isPublic });
    const refusal = { code: 'INVALID_REQUEST', message: expect.stringContaining('idempotency-key: others can guess') };
    expect(() => create(true)).toThrow(expect.objectContaining(refusal));
    expect(create(false)).toMatchObject({ idempotencyKey: 'order-1234', isServerKey: true });
  });

  it('passes on the hash of the client’s stop secret', () => {
    const stopSecretHash = 'ab'.repeat(32);
    const command = createJobCommand({ tokenAddress, paymentAmount: 1n, stopSecretHash }, undefined, CALLER);
    expect(command).toMatchObject({ stopSecretHash });
  });
});
