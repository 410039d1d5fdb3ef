// @vitest-environment happy-dom
import type { JobStatusResponse } from '@maker/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shareStream } from './share-stream.ts';

type Told = (status: JobStatusResponse) => void;
const STATUS = { status: 'active' } as JobStatusResponse;

/** Web Locks as browsers have them: one holder, the others in their order. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();

  request(_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>): Promise<void> {
    const turn = this.last.then(() => (signal.aborted ? Promise.reject(signal.reason) : run()));
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

let leaving: AbortController;
let open: Map<string, Told>;
let hidden: boolean;

const show = (isHidden: boolean) => {
  hidden = isHidden;
  document.dispatchEvent(new Event('visibilitychange'));
};
const page = (name: string, jobId = 'job_1') => {
  const heard: JobStatusResponse[] = [];
  void shareStream(
    jobId,
    leaving.signal,
    (status) => heard.push(status),
    (signal, onStatus) => {
      open.set(name, onStatus);
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          open.delete(name);
          resolve();
        }),
      );
    },
  );
  return heard;
};
const opened = () => vi.waitFor(() => expect([...open.keys()]).not.toEqual([]));

beforeEach(() => {
  leaving = new AbortController();
  open = new Map();
  hidden = false;
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  Object.defineProperty(navigator, 'locks', { configurable: true, value: new Locks() });
});
afterEach(() => leaving.abort());

describe('shareStream', () => {
  it('opens one stream for all pages', async () => {
    const [first, second, other] = [page('first'), page('second'), page('other', 'job_2')];
    await opened();
    expect([...open.keys()]).toEqual(['first']);
    open.get('first')?.(STATUS);
    await vi.waitFor(() => expect(second).toEqual([STATUS]));
    expect(first).toEqual([STATUS]);
    expect(other).toEqual([]);
  });

  it('opens no stream for a hidden page', async () => {
    hidden = true;
    page('only');
    await Promise.resolve();
    expect(open.size).toBe(0);
    show(false);
    await opened();
    show(true);
    await vi.waitFor(() => expect(open.size).toBe(0));
    show(false);
    await opened();
  });

  it('goes without locks where the page is not served securely', async () => {
    Reflect.deleteProperty(navigator, 'locks');
    page('only');
    await opened();
  });
});
