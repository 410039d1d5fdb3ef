import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiKeys } from './api-keys.ts';

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

describe('ApiKeys', () => {
  const old = { name: 'web', sha256: sha256('old'), scopes: ['public' as const] };
  const young = { name: 'web', sha256: sha256('new'), scopes: ['public' as const] };
  const operator = { name: 'ops', sha256: sha256('operator'), scopes: ['public' as const, 'operator' as const] };

  it('accepts both live keys of a client during rotation', () => {
    const keys = new ApiKeys([old, young, operator]);
    expect(keys.ownerOf('old')).toEqual({ name: 'web', scopes: ['public'], keyId: sha256('old').slice(0, 8) });
    expect(keys.ownerOf('new')).toMatchObject({ name: 'web', keyId: sha256('new').slice(0, 8) });
    expect(keys.ownerOf('operator')?.scopes).toContain('operator');
  });

  it('rejects a key that was removed', () => {
    const keys = new ApiKeys([old, young]);
    keys.replace([young]);
    expect(keys.ownerOf('old')).toBeUndefined();
    expect(keys.ownerOf('new')?.name).toBe('web');
  });

  it('rejects a wrong key, an empty key and a hash', () => {
    const keys = new ApiKeys([old, young]);
    for (const wrong of ['', 'Old', 'older', sha256('old')]) expect(keys.ownerOf(wrong)).toBeUndefined();
  });

  it('authenticates each request by its own key', () => {
    const keys = new ApiKeys([old, operator]);
    const connection = {};
    expect(keys.ownerOn(connection, 'old')?.name).toBe('web');
    expect(keys.ownerOn(connection, 'old')?.name).toBe('web');
    for (const wrong of ['', 'olD', 'older']) expect(keys.ownerOn(connection, wrong)).toBeUndefined();
    expect(keys.ownerOn(connection, 'operator')?.name).toBe('ops');
    expect(keys.ownerOn({}, 'wrong')).toBeUndefined();
  });

  it('rejects a removed key on an open connection', () => {
    const keys = new ApiKeys([old, young]);
    const connection = {};
    keys.ownerOn(connection, 'old');
    keys.replace([young]);
    expect(keys.ownerOn(connection, 'old')).toBeUndefined();
    keys.replace([old]);
    expect(keys.ownerOn(connection, 'old')?.name).toBe('web');
  });
});
