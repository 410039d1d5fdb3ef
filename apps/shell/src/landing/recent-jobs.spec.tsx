// @vitest-environment happy-dom
import type { OpenJob } from '@maker/web-kit';
import { apiAnswering, errorAnswer } from '@maker/web-kit/testing';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { RecentJobs } from './recent-jobs.tsx';

const jobOf = (index: number): OpenJob => ({
  jobId: `job_${index}`,
  token: {
    tokenAddress: `0x${'a'.repeat(40)}`,
    liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
  },
  paymentAddress: `0x${'b'.repeat(40)}`,
  paymentAmountWei: '500000000000000000',
  paymentDeadline: '2026-01-01T00:15:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
});
const paymentOf = (index: number) => `GET /jobs/job_${index}/payment`;

it('shows the status of recent jobs, where it is known', async () => {
  const { api } = apiAnswering({
    [paymentOf(1)]: { status: 'completed', paymentReceived: true },
    [paymentOf(2)]: { status: 'pending_payment', paymentReceived: false, paymentDeadline: '2026-01-01T00:15:00.000Z' },
    [paymentOf(3)]: errorAnswer(404, { message: 'There is no such job' }),
  });
  render(<RecentJobs api={api} jobs={[jobOf(1), jobOf(2), jobOf(3)]} onReopen={vi.fn()} />);
  const [newest] = screen.getAllByRole('listitem');
  await waitFor(() => expect(newest?.textContent).toContain('Job Completed Successfully'));
  expect(screen.getByText('Transaction Failed - Deadline Exceeded')).toBeTruthy();
  expect(screen.getAllByRole('listitem')[2]?.textContent).not.toMatch(/Job (Failed|Active)|Waiting/);
});

it('folds all jobs below the status of the newest', async () => {
  const { api } = apiAnswering({
    [paymentOf(1)]: { status: 'active', paymentReceived: true },
    [paymentOf(2)]: { status: 'completed', paymentReceived: true },
  });
  render(<RecentJobs api={api} jobs={[jobOf(1), jobOf(2)]} onReopen={vi.fn()} />);
  const summary = screen.getByRole('heading', { name: 'Your recent jobs' }).closest('summary');
  await waitFor(() => expect(summary?.textContent).toBe('Your recent jobsJob Active - Trading'));
  for (const button of screen.getAllByRole('button')) expect(button.closest('details')?.open).toBe(false);
});

it('requests only the newest five', async () => {
  const answers = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((index) => [paymentOf(index), { status: 'active', paymentReceived: true }]),
  );
  const { api, seen } = apiAnswering(answers);
  render(<RecentJobs api={api} jobs={[1, 2, 3, 4, 5, 6, 7].map(jobOf)} onReopen={vi.fn()} />);
  // The summary shows the newest too.
  await waitFor(() => expect(screen.getAllByText('Job Active - Trading')).toHaveLength(6));
  expect(seen).toHaveLength(5);
});
