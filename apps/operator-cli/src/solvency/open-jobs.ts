import type { OperatorJob } from '@maker/contracts';
import type { OperatorApi } from '../commands/operator-api.ts';

/** Most jobs of one answer. */
const PAGE = 500;

/** Ids of all jobs that are open, the newest first, each once. @throws OperatorApiError */
export async function* openJobs(api: OperatorApi): AsyncGenerator<string> {
  const told = new Set<string>();
  let from = '';
  for (;;) {
    const { jobs } = await api.get<{ jobs: OperatorJob[] }>(`/jobs?status=active&limit=${PAGE}${from}`);
    const fresh = jobs.filter(({ jobId }) => !told.has(jobId));
    for (const { jobId } of fresh) {
      told.add(jobId);
      yield jobId;
    }
    const last = jobs.at(-1);
    if (!last || fresh.length === 0 || jobs.length < PAGE) return;
    // Jobs of the page's last millisecond may be on either side of its end.
    from = `&before=${new Date(Date.parse(last.createdAt) + 1).toISOString()}`;
  }
}
