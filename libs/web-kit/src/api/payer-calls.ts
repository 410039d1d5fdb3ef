import type { StartJobResponse, StopJobResponse } from '@maker/contracts';
import { isText, isWei, shape } from './answer-shape.ts';
import { type ApiClient, jobPath } from './api-client.ts';

// Calls that need the private code: the payment step loads them on demand.

const isStopJobResponse = shape<StopJobResponse>({ status: isText, outcome: isText });

/** `POST /jobs/{jobId}/stop`: no further order, delivery of the bought tokens, return of the rest. A repetition gets the same answer. */
export function stopJob(api: ApiClient, jobId: string, stopSecret: string) {
  return api.call({ method: 'POST', path: `${jobPath(jobId)}/stop`, body: { stopSecret }, check: isStopJobResponse });
}

const isStartJobResponse = shape<StartJobResponse>({ status: isText, amountWei: isWei });

/** `POST /jobs/{jobId}/start`: the job starts with what arrived. A repetition gets the same answer. */
export function startJob(api: ApiClient, jobId: string, stopSecret: string) {
  return api.call({ method: 'POST', path: `${jobPath(jobId)}/start`, body: { stopSecret }, check: isStartJobResponse });
}
