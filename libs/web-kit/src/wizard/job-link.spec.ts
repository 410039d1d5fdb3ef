import { expect, it } from 'vitest';
import { isPrivateCode, jobLink, readJobLink } from './job-link.ts';

const jobId = `job_${'0a'.repeat(16)}`;
const stopSecret = `stop_${'aB-_'.repeat(8)}`;

it('links to a job by its id alone', () => {
  const link = new URL(jobLink('https://maker.example', jobId));
  // No part of it reaches a server.
  expect([link.origin, link.pathname, link.search]).toEqual(['https://maker.example', '/', '']);
  expect(link.hash).toBe(`#${jobId}`);
  expect(readJobLink(link.hash)).toEqual({ jobId });
});

it.each(['', '#', '#content', '#jobs'])('does not treat %j as a job link', (fragment) => {
  expect(readJobLink(fragment)).toBeUndefined();
});

it.each([`#${jobId}.`, `#${jobId}.${stopSecret}`, `#${jobId}x`, '#job_1', '#job_'])(
  'treats %j as a truncated link',
  (fragment) => {
    expect(readJobLink(fragment)).toBe('incomplete');
  },
);

it('knows the form of a private code', () => {
  expect(isPrivateCode(stopSecret)).toBe(true);
  for (const text of ['', 'stop_short', jobId, `${stopSecret}a`]) expect(isPrivateCode(text)).toBe(false);
});
