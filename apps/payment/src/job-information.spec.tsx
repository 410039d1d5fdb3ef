import { displayStatus } from '@maker/rules';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { JobInformation } from './job-information.tsx';

const PLAN = { expectedEndAt: '2026-01-02T12:00:00.000Z', latestEndAt: '2026-01-03T13:00:00.000Z' };
const names = (isPaid: boolean) =>
  [
    ...renderToStaticMarkup(
      <JobInformation
        jobId="job_1"
        deadline="2026-01-01T12:15:00.000Z"
        display={displayStatus('pending_payment', isPaid, false)}
        plan={PLAN}
        isPaid={isPaid}
      />,
    ).matchAll(/<dt>(.*?)<\/dt>/g),
  ].map(([, name]) => name);

it('marks times of an unpaid plan as relative', () => {
  expect(names(false).slice(-2)).toEqual(['Expected end, if paid at once', 'Latest end, if paid at once']);
  expect(names(true).slice(-2)).toEqual(['Expected end', 'Latest end']);
});
