import { beforeEach, describe, expect, it, vi } from 'vitest';

const loadFromRemote = vi.hoisted(() => vi.fn());
vi.mock('./federation-host.ts', () => ({ loadFromRemote }));

const Step = () => null;

describe('loading a remote', () => {
  beforeEach(() => {
    loadFromRemote.mockReset();
    vi.resetModules();
  });

  it('tries again after a failure, so that Retry recovers without a reload (design § 8)', async () => {
    const { loadedRemote, loadRemote } = await import('./load-remote.ts');
    loadFromRemote.mockRejectedValueOnce(new Error('unreachable')).mockResolvedValueOnce({ default: Step });
    await expect(loadRemote('token')).rejects.toThrow('unreachable');
    expect(loadedRemote('token')).toBeUndefined();
    await expect(loadRemote('token')).resolves.toBe(Step);
    expect(loadedRemote('token')).toBe(Step);
  });

  it('loads each remote once', async () => {
    const { loadRemote } = await import('./load-remote.ts');
    loadFromRemote.mockResolvedValue({ default: Step });
    await Promise.all([loadRemote('token'), loadRemote('token'), loadRemote('amount')]);
    await loadRemote('token');
    expect(loadFromRemote.mock.calls).toEqual([['token'], ['amount']]);
  });

  it.each([null, {}, { default: 'text' }])('refuses a remote that answers with %j', async (module) => {
    const { loadRemote } = await import('./load-remote.ts');
    loadFromRemote.mockResolvedValue(module);
    await expect(loadRemote('payment')).rejects.toMatchObject({ code: 'REMOTE_UNUSABLE' });
  });
});
