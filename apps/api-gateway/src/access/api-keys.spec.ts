import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiKeys } from './api-keys.ts';

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

describe('ApiKeys', () => {
  const old = { name: 'web', sha256: sha256('old'), scopes: ['public' as const] };
  const young = { name: 'web', sha256: sha256('new'), scopes: ['public' as const] };
  const operator = { name: 'ops', sha256: sha256('operator'), scopes: ['public' as const, 'operator' as const] };

  it('knows both live keys of a client by its name, so that keys can be rotated', () => {
    const keys = new ApiKeys([old, young, operator]);
    expect(keys.ownerOf('old')).toEqual({ name: 'web', scopes: ['public'], keyId: sha256('old').slice(0, 8) });
    expect(keys.ownerOf('new')).toMatchObject({ name: 'web', keyId: sha256('new').slice(0, 8) });
    expect(keys.ownerOf('operator')?.scopes).toContain('operator');
  });

  it('no longer knows a key that was taken out', () => {
    const keys = new ApiKeys([old, young]);
    keys.replace([young]);
    expect(keys.ownerOf('old')).toBeUndefined();
    expect(keys.ownerOf('new')?.name).toBe('web');
  });

  it('does not take a wrong key, an empty one, or a stored hash for a key', () => {
    const keys = new ApiKeys([old, young]);
    for (const wrong of ['', 'Old', 'older', sha256('old')]) expect(keys.ownerOf(wrong)).toBeUndefined();
  });

  it('knows who asks on a connection by the key of each request, whoever asked before', () => {
    const keys = new ApiKeys([old, operator]);
    const connection = {};
    expect(keys.ownerOn(connection, 'old')?.name).toBe('web');
    expect(keys.ownerOn(connection, 'old')?.name).toBe('web');
    for (const wrong of ['', 'olD', 'older']) expect(keys.ownerOn(connection, wrong)).toBeUndefined();
    expect(keys.ownerOn(connection, 'operator')?.name).toBe('ops');
    expect(keys.ownerOn({}, 'wrong')).toBeUndefined();
  });

  it('no longer knows a key that was taken out on a connection that presented it before', () => {
    const keys = new ApiKeys([old, young]);
    const connection = {};
    keys.ownerOn(connection, 'old');
    keys.replace([young]);
    expect(keys.ownerOn(connection, 'old')).toBeUndefined();
    keys.replace([old]);
    expect(keys.ownerOn(connection, 'old')?.name).toBe('web');
  });
});
