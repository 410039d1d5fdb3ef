// @vitest-environment happy-dom
import type { JobStatusResponse } from '@maker/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shareStream } from './share-stream.ts';

type StatusListener = (status: JobStatusResponse) => void;
const STATUS = { status: 'active' } as JobStatusResponse;

/** Web Locks as in browsers: one holder, a queue for the others. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();

  request(_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>): Promise<void> {
    const turn = this.last.then(() => (signal.aborted ? Promise.reject(signal.reason) : run()));
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

let leaving: AbortController;
let open: Map<string, StatusListener>;
let hidden: boolean;

const show = (isHidden: boolean) => {
  hidden = isHidden;
  document.dispatchEvent(new Event('visibilitychange'));
};
const page = (name: string, jobId = 'job_1') => {
  const received: JobStatusResponse[] = [];
  void shareStream(
    jobId,
    leaving.signal,
    (status) => received.push(status),
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
  return received;
};
const expectOpened = () => vi.waitFor(() => expect([...open.keys()]).not.toEqual([]));

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
    await expectOpened();
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
    await expectOpened();
    show(true);
    await vi.waitFor(() => expect(open.size).toBe(0));
    show(false);
    await expectOpened();
  });

  it('works without locks on an insecure page', async () => {
    Reflect.deleteProperty(navigator, 'locks');
    page('only');
    await expectOpened();
  });

  it('works where the browser refuses channels and locks', async () => {
    vi.spyOn(console, 'info').mockReturnValue();
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          throw new DOMException('refused', 'SecurityError');
        }
      },
    );
    Object.defineProperty(navigator, 'locks', {
      configurable: true,
      value: { request: () => Promise.reject(new DOMException('refused', 'SecurityError')) },
    });
    const received = page('only');
    await expectOpened();
    open.get('only')?.(STATUS);
    expect(received).toEqual([STATUS]);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
});
