import type { OpenJob } from './open-job.ts';

/** What a link to a job says; the private link alone has the secret that stops it. */
export type LinkedJob = Pick<OpenJob, 'jobId' | 'stopSecret'>;

/** What an address was opened with: a job, or what is left of a link that was cut off on its way. */
export type ReadLink = LinkedJob | 'incomplete';

const FRAGMENT = /^#(job_[0-9a-f]{32})(?:\.(stop_[A-Za-z0-9_-]{32}))?$/;

/**
 * The address at which a job's page opens on another device. All of it stands behind the '#', which browsers send to no
 * server: no log has the secret. @param origin of the site, such as 'https://maker.example'
 */
export function jobLink(origin: string, { jobId, stopSecret }: LinkedJob): string {
  return `${origin}/#${jobId}${stopSecret === undefined ? '' : `.${stopSecret}`}`;
}

/** Reads what stands behind the '#' of an address. @returns undefined for anything but a link to a job */
export function readJobLink(fragment: string): ReadLink | undefined {
  const [, jobId, stopSecret] = FRAGMENT.exec(fragment) ?? [];
  if (jobId === undefined) return fragment.startsWith('#job_') ? 'incomplete' : undefined;
  return { jobId, ...(stopSecret !== undefined && { stopSecret }) };
}
