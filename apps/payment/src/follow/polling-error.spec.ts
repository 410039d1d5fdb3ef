import { ApiCallError } from '@maker/web-kit';
import { describe, expect, it } from 'vitest';
import { pollingErrorText } from './polling-error.ts';

const answered = (message: string) => new ApiCallError({ error: 'Error', message });

describe('pollingErrorText', () => {
  it('is undefined while polls succeed', () => {
    expect(pollingErrorText(null)).toBeUndefined();
  });

  it.each([
    [answered('Job not found'), 'Job not found'],
    [answered(''), 'Failed to check transaction status'],
    [new TypeError('broken'), 'Network error while checking transaction status'],
  ])('shows the text of specification § 8 for %s', (error, text) => {
    expect(pollingErrorText(error)).toBe(text);
  });
});
