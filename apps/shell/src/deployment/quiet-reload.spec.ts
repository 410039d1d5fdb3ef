import { describe, expect, it, vi } from 'vitest';
import { QuietReload } from './quiet-reload.ts';

const PLACE = {
  step: 'amount',
  token: {
    tokenAddress: '0x1234567890123456789012345678901234567890',
    liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
  },
} as const;

/** A tab's storage and the page loads that share it. */
function tab() {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Storage;
  const reload = vi.fn();
  const pageLoad = () =>
    new QuietReload(
      () => storage,
      reload,
      (error) => expect.fail(String(error)),
    );
  return { items, reload, pageLoad };
}

describe('the quiet reload for a new deployment', () => {
  it('brings the wizard back to where it was, and only once', () => {
    const { reload, pageLoad } = tab();
    expect(pageLoad().request('new', PLACE)).toBe(true);
    expect(reload).toHaveBeenCalledTimes(1);
    const next = pageLoad();
    expect(next.takePlace()).toEqual(PLACE);
    expect(next.takePlace()).toBeUndefined();
    expect(pageLoad().takePlace()).toBeUndefined();
  });

  it('happens at most once for a deployment, so that it cannot loop', () => {
    const { reload, pageLoad } = tab();
    pageLoad().request('new', PLACE);
    const next = pageLoad();
    next.takePlace();
    expect(next.request('new', PLACE)).toBe(false);
    expect(next.request('newer', PLACE)).toBe(true);
    expect(pageLoad().request('new', PLACE)).toBe(false);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('is one for two parts that fail together', () => {
    const { reload, pageLoad } = tab();
    const page = pageLoad();
    expect(page.request('new', PLACE)).toBe(true);
    expect(page.request('new', PLACE)).toBe(true);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('does not happen where nothing can be remembered', () => {
    const reload = vi.fn();
    const onFailure = vi.fn();
    const refusing = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const page = new QuietReload(refusing, reload, onFailure);
    expect(page.request('new', PLACE)).toBe(false);
    expect(page.takePlace()).toBeUndefined();
    expect(reload).not.toHaveBeenCalled();
    expect(onFailure).toHaveBeenCalledTimes(2);
  });

  it('leaves out a place that another version wrote', () => {
    const { items, pageLoad } = tab();
    pageLoad().request('new', PLACE);
    const [[key, value] = ['', '']] = items;
    items.set(key, value.replace('liquidityStatus', 'liquidity'));
    expect(pageLoad().takePlace()).toBeUndefined();
  });
});
