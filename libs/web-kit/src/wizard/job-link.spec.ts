import { expect, it } from 'vitest';
import { jobLink, readJobLink } from './job-link.ts';

const jobId = `job_${'0a'.repeat(16)}`;
const stopSecret = `stop_${'aB-_'.repeat(8)}`;

it('reads links with and without stop rights', () => {
  for (const job of [{ jobId }, { jobId, stopSecret }]) {
    const link = new URL(jobLink('https://maker.example', job));
    // No part of it reaches a server.
    expect([link.origin, link.pathname, link.search]).toEqual(['https://maker.example', '/', '']);
    expect(readJobLink(link.hash)).toEqual(job);
  }
});

it.each(['', '#', '#content', '#jobs'])('does not treat %j as a job link', (fragment) => {
  expect(readJobLink(fragment)).toBeUndefined();
});

it.each([`#${jobId}.`, `#${jobId}.stop_short`, `#${jobId}x`, '#job_1', '#job_'])(
  'treats %j as a truncated link',
  (fragment) => {
    expect(readJobLink(fragment)).toBe('incomplete');
  },
);
