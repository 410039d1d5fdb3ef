/** Content of a link to a job. */
export interface LinkedJob {
  readonly jobId: string;
}

/** Parsed link of an address: a job, or `incomplete` for a truncated link. */
export type ReadLink = LinkedJob | 'incomplete';

const FRAGMENT = /^#(job_[0-9a-f]{32})$/;
const PRIVATE_CODE = /^stop_[A-Za-z0-9_-]{32}$/;

/**
 * The address that opens a job's page elsewhere. It holds no secret, since browsers keep addresses in their history and session
 * files (docs/adr/0152). @param origin of the site, such as 'https://maker.example'
 */
export function jobLink(origin: string, jobId: string): string {
  return `${origin}/#${jobId}`;
}

/** Parses the part of an address after the '#'. @returns undefined for anything but a link to a job */
export function readJobLink(fragment: string): ReadLink | undefined {
  const jobId = FRAGMENT.exec(fragment)?.[1];
  if (jobId === undefined) return fragment.startsWith('#job_') ? 'incomplete' : undefined;
  return { jobId };
}

/** Whether a text has the form of a private code, which is the stop secret of the API. */
export function isPrivateCode(text: string): boolean {
  return PRIVATE_CODE.test(text);
}
