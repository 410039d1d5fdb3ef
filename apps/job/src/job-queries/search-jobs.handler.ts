import { type ListedJob, searchJobs } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { JobsRepository } from '../job/jobs.repository.ts';
import { listedView } from '../views/job-views.ts';
import { cursorOf, positionOf } from './job-cursor.ts';

/** Most characters of the jobs of a page. A message has 1 MiB, and a character at most three bytes. */
const MOST_TEXT = 200_000;

/** Answers the list of an API key's jobs. Source: docs/adr/0172. */
@Controller()
export class SearchJobsHandler {
  constructor(private readonly jobs: JobsRepository) {}

  @HandleRequest(searchJobs)
  async search({ after, createdAfter, limit, ...query }: z.output<typeof searchJobs.request>) {
    const found = await this.jobs.search({
      ...query,
      createdAfter: createdAfter === undefined ? undefined : new Date(createdAfter),
      after: after === undefined ? undefined : positionOf(after),
      // One more shows whether there is a next page.
      limit: limit + 1,
    });
    const jobs = fitting(found.slice(0, limit).map(listedView));
    const last = jobs.length < found.length ? found[jobs.length - 1] : undefined;
    return { jobs, ...(last && { next: cursorOf(last) }) };
  }
}

/** The first jobs that fit into a message: at least one, whose metadata came in one request. */
function fitting(jobs: readonly ListedJob[]): ListedJob[] {
  let length = 0;
  const end = jobs.findIndex((job, index) => {
    length += JSON.stringify(job).length;
    return length > MOST_TEXT && index > 0;
  });
  return end === -1 ? [...jobs] : jobs.slice(0, end);
}
