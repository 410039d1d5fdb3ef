import { useQueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const loadFromRemote = vi.hoisted(() => vi.fn());
vi.mock('./federation-host.ts', () => ({ loadFromRemote }));

const Step = () => null;
const Asking = ({ jobId }: { jobId: string }) => `${jobId}: ${typeof useQueryClient().fetchQuery}`;

describe('loading a remote', () => {
  beforeEach(() => {
    loadFromRemote.mockReset();
    vi.resetModules();
  });

  it('retries after a failure without a reload', async () => {
    const { loadedRemote, loadRemote } = await import('./load-remote.ts');
    loadFromRemote.mockRejectedValueOnce(new Error('unreachable')).mockResolvedValueOnce({ default: Step });
    await expect(loadRemote('token')).rejects.toThrow('unreachable');
    expect(loadedRemote('token')).toBeUndefined();
    const loaded = await loadRemote('token');
    expect(loaded).toBeTypeOf('function');
    expect(loadedRemote('token')).toBe(loaded);
  });

  it('loads each remote once', async () => {
    const { loadRemote } = await import('./load-remote.ts');
    loadFromRemote.mockResolvedValue({ default: Step });
    await Promise.all([loadRemote('token'), loadRemote('token'), loadRemote('amount')]);
    await loadRemote('token');
    expect(loadFromRemote.mock.calls).toEqual([['token'], ['amount']]);
  });

  it('shares the page’s query client and shell input', async () => {
    const { loadRemote } = await import('./load-remote.ts');
    loadFromRemote.mockResolvedValue({ default: Asking });
    const component = (await loadRemote('payment')) as unknown as typeof Asking;
    expect(renderToString(createElement(component, { jobId: 'job_1' }))).toBe('job_1: function');
  });

  it.each([null, {}, { default: 'text' }])('rejects a remote that exports %j', async (module) => {
    const { loadRemote } = await import('./load-remote.ts');
    loadFromRemote.mockResolvedValue(module);
    await expect(loadRemote('payment')).rejects.toMatchObject({ code: 'REMOTE_UNUSABLE' });
  });
});
