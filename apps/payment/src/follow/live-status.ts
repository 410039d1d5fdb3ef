import type { JobStatusResponse } from '@maker/contracts';
import { isFinal } from '@maker/rules';
import { type ApiClient, followJob, logRefusal } from '@maker/web-kit';
import { useEffect, useState } from 'react';
import { shareStream } from './share-stream.ts';

const LONGEST_PAUSE_MS = 30_000;

/** The last status from the live channel, and the time of its arrival, ms. */
export interface LiveStatus {
  readonly status: JobStatusResponse;
  readonly atMs: number;
}

/** Pause before the channel is opened again, ms. @param attempts without a status since the last one */
export function reopenDelay(attempts: number): number {
  return Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** attempts);
}

/** The newer status of the poll and the live channel. @param polledAtMs 0 before the first answer */
export function newest<Polled>(
  polled: Polled | undefined,
  polledAtMs: number,
  live: LiveStatus | undefined,
): Polled | JobStatusResponse | undefined {
  return live && (polled === undefined || live.atMs >= polledAtMs) ? live.status : polled;
}

/**
 * Follows a job through the live channel, in addition to the polls. A change shows within a second; without the channel the
 * next poll shows it. Source: design § 8. @param following false once nothing can change
 */
export function useLiveStatus(api: ApiClient, jobId: string, following: boolean): LiveStatus | undefined {
  const [live, setLive] = useState<LiveStatus>();
  useEffect(() => {
    if (!following) return;
    const leaving = new AbortController();
    const show = (status: JobStatusResponse) => setLive({ status, atMs: Date.now() });
    shareStream(jobId, leaving.signal, show, (signal, onStatus) => follow(api, jobId, signal, onStatus)).catch(
      logRefusal,
    );
    return () => leaving.abort();
  }, [api, jobId, following]);
  return live;
}

/**
 * Keeps the channel of a job open until the job's end; opens it again whenever it breaks.
 * @param signal ends it @param onStatus called with each status
 */
export async function follow(
  api: ApiClient,
  jobId: string,
  signal: AbortSignal,
  onStatus: (status: JobStatusResponse) => void,
): Promise<void> {
  for (let attempts = 0; !signal.aborted; attempts += 1) {
    for await (const status of followJob(api, jobId, signal)) {
      if (signal.aborted) return;
      attempts = 0;
      onStatus(status);
      if (isFinal(status.status)) return;
    }
    await pause(reopenDelay(attempts), signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
