import type { JobStatusResponse } from '@maker/contracts';

/** Held by the one page of this browser that has a stream open. */
const LOCK = 'hyperevm-maker.live';

/** What the streaming page tells the others. */
interface Told {
  readonly jobId: string;
  readonly status: JobStatusResponse;
}

/** Follows a job until its end, or until the signal. */
type Follow = (signal: AbortSignal, onStatus: (status: JobStatusResponse) => void) => Promise<void>;

/**
 * Keeps one stream open for all pages of this browser, and none for hidden ones: over HTTP/1.1 a browser opens six connections
 * to a server, and streams would use them up. The page with the stream passes on what it hears; the others poll besides.
 * @param signal ends it @param onStatus is told each status of the job @param follow opens the stream
 */
export async function shareStream(
  jobId: string,
  signal: AbortSignal,
  onStatus: (status: JobStatusResponse) => void,
  follow: Follow,
): Promise<void> {
  const channel = new BroadcastChannel(LOCK);
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.jobId === jobId && !signal.aborted) onStatus(data.status);
  };
  const tell = (status: JobStatusResponse) => {
    channel.postMessage({ jobId, status } satisfies Told);
    onStatus(status);
  };
  try {
    let isOver = false;
    while (!signal.aborted && !isOver) {
      await untilShown(signal);
      const shown = whileShown(signal);
      await onlyOne(shown, async () => {
        await follow(shown, tell);
        isOver = !shown.aborted;
      });
    }
  } finally {
    channel.close();
  }
}

/** Runs while this page alone holds the lock. A page that is not served securely has no locks, and goes on without. */
async function onlyOne(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (signal.aborted) return;
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return run();
  try {
    await locks.request(LOCK, { signal }, run);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Until the page can be seen, or the signal comes. */
function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** Aborted as soon as the page is hidden, or with the signal. */
function whileShown(signal: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  const look = () => {
    if (document.hidden || signal.aborted) {
      document.removeEventListener('visibilitychange', look);
      hidden.abort();
    }
  };
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', look, { once: true });
  look();
  return hidden.signal;
}
