import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '@maker/service-kit';
import { describe, expect, it } from 'vitest';
import { ApiKeys, readApiKeys } from './api-keys.ts';

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

function fileWith(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'api-keys-')), 'keys.json');
  writeFileSync(path, text);
  return path;
}

describe('ApiKeys', () => {
  const keys = new ApiKeys([
    { name: 'web', sha256: sha256('old'), scopes: ['public'] },
    { name: 'web', sha256: sha256('new'), scopes: ['public'] },
    { name: 'ops', sha256: sha256('operator'), scopes: ['public', 'operator'] },
  ]);

  it('knows both live keys of a client by its name, so that keys can be rotated', () => {
    expect(keys.ownerOf('old')).toEqual({ name: 'web', scopes: ['public'] });
    expect(keys.ownerOf('new')?.name).toBe('web');
    expect(keys.ownerOf('operator')?.scopes).toContain('operator');
  });

  it('does not take a wrong key, an empty one, or a stored hash for a key', () => {
    for (const wrong of ['', 'Old', 'older', sha256('old')]) expect(keys.ownerOf(wrong)).toBeUndefined();
  });
});

describe('readApiKeys', () => {
  it('reads the file', () => {
    const path = fileWith(JSON.stringify([{ name: 'web', sha256: sha256('key'), scopes: ['public'] }]));
    expect(readApiKeys(path).ownerOf('key')?.name).toBe('web');
  });

  it.each([
    ['no list', '{}', 'expected array'],
    ['an empty list', '[]', 'Too small'],
    ['no JSON', '[{"name":"s3cret"', 'is not JSON'],
    ['a key where its hash belongs', '[{"name":"web","sha256":"s3cret","scopes":["public"]}]', '/0/sha256 must be'],
    ['an unknown scope', `[{"name":"web","sha256":"${'a'.repeat(64)}","scopes":["s3cret"]}]`, '/0/scopes/0'],
  ])('refuses a file with %s and repeats nothing of it', (_, text, problem) => {
    const read = () => readApiKeys(fileWith(text));
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(problem);
    expect(read).not.toThrow('s3cret');
  });

  it('names a file that is not there', () => {
    expect(() => readApiKeys('/nowhere/keys.json')).toThrow('API_KEYS_FILE cannot be read');
  });
});
