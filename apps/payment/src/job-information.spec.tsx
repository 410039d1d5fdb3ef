// @vitest-environment happy-dom
import { displayStatus } from '@maker/rules';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { JobInformation } from './job-information.tsx';

const PLAN = { expectedEndAt: '2026-01-02T12:00:00.000Z', latestEndAt: '2026-01-03T13:00:00.000Z' };

function names(isPaid: boolean): (string | null)[] {
  cleanup();
  render(
    <JobInformation
      jobId="job_1"
      deadline="2026-01-01T12:15:00.000Z"
      display={displayStatus('pending_payment', isPaid, false)}
      plan={PLAN}
      isPaid={isPaid}
      canCancel={false}
    />,
  );
  const details = screen.queryByText('Schedule')?.closest('details');
  if (details) {
    details.open = true;
    fireEvent(details, new Event('toggle'));
  }
  return screen.getAllByRole('term').map(({ textContent }) => textContent);
}

it('marks times of an unpaid plan as relative', () => {
  expect(names(false).slice(-2)).toEqual(['Expected end if paid right away', 'Latest end if paid right away']);
  expect(names(true).slice(-2)).toEqual(['Expected end', 'Latest end']);
});
