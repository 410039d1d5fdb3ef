import type { JobStatusResponse } from '@maker/contracts';
import { ApiClient } from '@maker/web-kit';
import { JOB_ID } from '../../../apps/api-gateway/src/service-answers.fixture.ts';
import { follow } from '../../../apps/payment/src/follow/live-status.ts';
import { API_KEY } from './gateway-behind-proxies.ts';

/** A page that follows its job through a proxy. */
export interface FollowedJob {
  /** How often the page opened its channel. */
  opened: number;
  /** Number of heartbeats. */
  heartbeats: number;
  /** The status that it shows. */
  status: JobStatusResponse | undefined;
  leave(): void;
}

/** Follows the one job with the pages' own code, and counts openings and heartbeats. */
export function followThrough(url: string): FollowedJob {
  const leaving = new AbortController();
  const followed: FollowedJob = { opened: 0, heartbeats: 0, status: undefined, leave: () => leaving.abort() };
  const counted: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (!response.ok || !response.body) return response;
    followed.opened += 1;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        followed.heartbeats += Buffer.from(chunk).toString('latin1').split(': heartbeat').length - 1;
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counting), response);
  };
  const api = new ApiClient({ baseUrl: url, apiKey: API_KEY, fetch: counted });
  void follow(api, JOB_ID, leaving.signal, (status) => {
    followed.status = status;
  });
  return followed;
}
