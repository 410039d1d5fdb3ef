import type { OpenJob } from './open-job.ts';

/** Content of a link to a job; only the private link has the secret that stops it. */
export type LinkedJob = Pick<OpenJob, 'jobId' | 'stopSecret'>;

/** Parsed link of an address: a job, or `incomplete` for a truncated link. */
export type ReadLink = LinkedJob | 'incomplete';

const FRAGMENT = /^#(job_[0-9a-f]{32})(?:\.(stop_[A-Za-z0-9_-]{32}))?$/;

/**
 * The address that opens a job's page on another device. All of it follows the '#', which browsers send to no server, so no
 * log contains the secret. @param origin of the site, such as 'https://maker.example'
 */
export function jobLink(origin: string, { jobId, stopSecret }: LinkedJob): string {
  return `${origin}/#${jobId}${stopSecret === undefined ? '' : `.${stopSecret}`}`;
}

/** Parses the part of an address after the '#'. @returns undefined for anything but a link to a job */
export function readJobLink(fragment: string): ReadLink | undefined {
  const [, jobId, stopSecret] = FRAGMENT.exec(fragment) ?? [];
  if (jobId === undefined) return fragment.startsWith('#job_') ? 'incomplete' : undefined;
  return { jobId, ...(stopSecret !== undefined && { stopSecret }) };
}
