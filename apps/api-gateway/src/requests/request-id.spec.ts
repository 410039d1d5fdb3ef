import { describe, expect, it } from 'vitest';
import { requestIdOf } from './request-id.ts';

const isApiKey = (text: string) => text === 'maker_public_of_a_client';

describe('requestIdOf', () => {
  it('keeps a well-formed id', () => {
    expect(requestIdOf('web-0b6f_1.2', isApiKey)).toBe('web-0b6f_1.2');
  });

  it.each([
    ['none', undefined],
    ['a repeated header', ['aaaaaaaa', 'bbbbbbbb']],
    ['one too short', 'short'],
    ['an API key, which every log would contain', 'maker_public_of_a_client'],
    ['one too long', 'a'.repeat(65)],
    ['one that would break a log line', 'aaaaaaaa\n{"level":"fatal"}'],
  ])('makes a new one for %s', (_, presented) => {
    const id = requestIdOf(presented, isApiKey);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIdOf(presented, isApiKey)).not.toBe(id);
  });
});
