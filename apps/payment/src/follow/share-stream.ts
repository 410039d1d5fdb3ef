import type { JobStatusResponse } from '@maker/contracts';
import { attempt, logRefusal } from '@maker/web-kit';

/** Lock of the one page of this browser that has a stream open; also the name of the channel. */
const LOCK = 'hyperevm-maker.live';

/** A message of the streaming page to the others. */
interface StatusMessage {
  readonly jobId: string;
  readonly status: JobStatusResponse;
}

/** Follows a job until its end, or until the signal. */
type Follow = (signal: AbortSignal, onStatus: (status: JobStatusResponse) => void) => Promise<void>;

/**
 * Keeps one stream open for all pages of this browser, and none for hidden pages: over HTTP/1.1 a browser opens only six
 * connections to a server, and streams would use all. The streaming page forwards each status; the others also poll.
 * @param signal ends it @param onStatus called with each status of the job @param follow opens the stream
 */
export async function shareStream(
  jobId: string,
  signal: AbortSignal,
  onStatus: (status: JobStatusResponse) => void,
  follow: Follow,
): Promise<void> {
  // A browser that refuses the channel has this page's own stream and the polls.
  const channel = attempt(() => new BroadcastChannel(LOCK));
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<StatusMessage>) => {
      if (data.jobId === jobId && !signal.aborted) onStatus(data.status);
    };
  }
  const publish = (status: JobStatusResponse) => {
    attempt(() => channel?.postMessage({ jobId, status } satisfies StatusMessage));
    onStatus(status);
  };
  try {
    let isOver = false;
    while (!signal.aborted && !isOver) {
      await untilShown(signal);
      const shown = whileShown(signal);
      await onlyOne(shown, async () => {
        await follow(shown, publish);
        isOver = !shown.aborted;
      });
    }
  } finally {
    channel?.close();
  }
}

/** Runs while this page holds the lock. A page without Web Locks, or whose browser refuses them, runs without. */
async function onlyOne(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (signal.aborted) return;
  const { locks } = navigator as Partial<Navigator>;
  let running: Promise<void> | undefined;
  try {
    await locks?.request(LOCK, { signal }, () => {
      running = run();
      return running;
    });
  } catch (error) {
    if (signal.aborted) return;
    logRefusal(error);
  }
  await (running ?? run());
}

/** Resolves when the page is visible, or on the signal. */
function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}

/** A signal that aborts when the page is hidden, or with the given signal. */
function whileShown(signal: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  const check = () => {
    if (document.hidden || signal.aborted) {
      document.removeEventListener('visibilitychange', check);
      hidden.abort();
    }
  };
  document.addEventListener('visibilitychange', check);
  signal.addEventListener('abort', check, { once: true });
  check();
  return hidden.signal;
}
