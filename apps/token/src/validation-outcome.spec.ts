import type { ApiResult, ValidationAnswer } from '@maker/web-kit';
import { describe, expect, it, vi } from 'vitest';
import { readValidation, validateTypedToken } from './validation-outcome.ts';

const ADDRESS = `0x${'a'.repeat(40)}`;

const answer = (
  response: Partial<Omit<ValidationAnswer, 'liquidityStatus'>>,
  meetsMinimum = true,
): ApiResult<ValidationAnswer> => ({
  ok: true,
  data: { isValid: true, liquidityStatus: { meetsMinimum, hasV2: true, hasV3: false }, ...response },
});

const refusal = (message: string) => ({ kind: 'refused', message });

describe('validateTypedToken', () => {
  it.each([
    ['', 'Please enter a valid token address'],
    ['0x123', 'Please enter a valid token address'],
    ['a'.repeat(42), 'Invalid token address format. Must be 42 characters starting with 0x'],
    [`0x${'a'.repeat(39)}`, 'Invalid token address format. Must be 42 characters starting with 0x'],
  ])('refuses %j without asking the server (specification § 5)', async (typed, message) => {
    const validate = vi.fn();
    expect(await validateTypedToken(typed, validate)).toEqual(refusal(message));
    expect(validate).not.toHaveBeenCalled();
  });

  it('sends the address without the spaces around it', async () => {
    const validate = vi.fn(async () => answer({}));
    expect(await validateTypedToken(` ${ADDRESS}\n`, validate)).toMatchObject({ kind: 'accepted' });
    expect(validate).toHaveBeenCalledWith(ADDRESS);
  });

  it('reports a network failure', async () => {
    const outcome = await validateTypedToken(ADDRESS, () => Promise.reject(new TypeError('broken')));
    expect(outcome).toEqual(refusal('Network error. Please check your connection and try again.'));
  });
});

describe('readValidation', () => {
  it('continues with the later steps’ input', () => {
    const token = { symbol: 'CAT', name: 'Cat', decimals: 18 };
    expect(readValidation(ADDRESS, answer({ token }))).toEqual({
      kind: 'accepted',
      token: { tokenAddress: ADDRESS, token, liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false } },
    });
  });

  it('shows no API field for a non-hexadecimal address', () => {
    const error = {
      error: 'Bad Request',
      code: 'INVALID_REQUEST',
      message: 'tokenAddress: must be 0x…',
      statusCode: 400,
    };
    expect(readValidation(`0x${'Z'.repeat(40)}`, { ok: false, error })).toEqual(
      refusal('Invalid token address format. Must be 42 characters starting with 0x'),
    );
  });

  it("shows the server's errorMessage for an invalid token", () => {
    const result = answer({ isValid: false, errorMessage: 'The token takes a fee on transfers' });
    expect(readValidation(ADDRESS, result)).toEqual(refusal('The token takes a fee on transfers'));
  });

  it.each([
    ['invalid', answer({ isValid: false })],
    ['valid but under the minimum', answer({}, false)],
    ['silent about liquidity', { ok: true, data: { isValid: true } } as const],
  ])('falls back to minimum liquidity when %s', (_, result) => {
    expect(readValidation(ADDRESS, result)).toEqual(refusal('Token does not meet minimum liquidity requirements'));
  });

  it.each([
    ['Too many requests', 'Too many requests'],
    ['', 'Failed to validate token'],
  ])('answers error %j with %j', (message, shown) => {
    expect(readValidation(ADDRESS, { ok: false, error: { error: 'Error', message } })).toEqual(refusal(shown));
  });

  it('keeps a failed request’s id for support', () => {
    const error = { error: 'Error', message: '', requestId: 'page-0123' };
    expect(readValidation(ADDRESS, { ok: false, error })).toEqual({
      ...refusal('Failed to validate token'),
      reference: 'page-0123',
    });
  });
});
