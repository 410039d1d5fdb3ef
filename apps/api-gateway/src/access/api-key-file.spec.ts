import { ConfigurationError } from '@maker/service-kit';
import { describe, expect, it } from 'vitest';
import { parseApiKeys } from './api-key-file.ts';

const HASH = 'a'.repeat(64);

describe('the API key file', () => {
  it('holds names, hashes and scopes', () => {
    const entries = [{ name: 'web', sha256: HASH, scopes: ['public'] }];
    expect(parseApiKeys(JSON.stringify(entries))).toEqual(entries);
  });

  it.each([
    ['no list', '{}', 'expected array'],
    ['an empty list', '[]', 'Too small'],
    ['no JSON', '[{"name":"s3cret"', 'is not JSON'],
    ['a key in place of its hash', '[{"name":"web","sha256":"s3cret","scopes":["public"]}]', '/0/sha256 must be'],
    ['an unknown scope', `[{"name":"web","sha256":"${HASH}","scopes":["s3cret"]}]`, '/0/scopes/0'],
  ])('is refused with %s, without repeating its text', (_, text, problem) => {
    expect(() => parseApiKeys(text)).toThrow(ConfigurationError);
    expect(() => parseApiKeys(text)).toThrow(problem);
    expect(() => parseApiKeys(text)).not.toThrow('s3cret');
  });
});
