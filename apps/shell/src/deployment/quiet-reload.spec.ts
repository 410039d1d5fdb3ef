import { describe, expect, it, vi } from 'vitest';
import { QuietReload } from './quiet-reload.ts';

/** A tab's storage and the page loads that share it. */
function tab() {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Storage;
  const reload = vi.fn();
  const pageLoad = () => new QuietReload(() => storage, reload);
  return { reload, pageLoad };
}

describe('the quiet reload for a new deployment', () => {
  it('reloads at most once per deployment', () => {
    const { reload, pageLoad } = tab();
    pageLoad().request('new');
    const next = pageLoad();
    expect(next.request('new')).toBe(false);
    expect(next.request('newer')).toBe(true);
    expect(pageLoad().request('new')).toBe(false);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('reloads once for two parts that fail together', () => {
    const { reload, pageLoad } = tab();
    const page = pageLoad();
    expect(page.request('new')).toBe(true);
    expect(page.request('new')).toBe(true);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('does not happen without storage', () => {
    const reload = vi.fn();
    const logged = vi.spyOn(console, 'info').mockReturnValue();
    const refusing = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const page = new QuietReload(refusing, reload);
    expect(page.request('new')).toBe(false);
    expect(reload).not.toHaveBeenCalled();
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
