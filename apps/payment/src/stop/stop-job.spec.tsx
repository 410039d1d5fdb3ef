// @vitest-environment happy-dom
import { type Answer, apiAnswering, errorAnswer } from '@maker/web-kit/testing';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import StopJob from './stop-job.tsx';

function show(answer: Answer, isPaid = true) {
  const { api, seen } = apiAnswering({ 'POST /jobs/job_1/stop': answer });
  const onStatus = vi.fn();
  render(<StopJob api={api} jobId="job_1" stopSecret="stop_secret" isPaid={isPaid} onStatus={onStatus} />);
  return { seen, onStatus };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('requires confirmation before it stops a job', async () => {
  const { seen, onStatus } = show({ status: 'active', outcome: 'No further order is placed' });
  press('Stop this job');
  expect(screen.getByText(/The bought tokens are delivered, and the unspent HYPE is returned/)).toBeTruthy();
  expect(seen).toEqual([]);
  press('Stop it now');
  expect(await screen.findByText('No further order is placed')).toBeTruthy();
  expect(seen.map(({ body }) => body)).toEqual([{ stopSecret: 'stop_secret' }]);
  expect(screen.queryByRole('button')).toBeNull();
  expect(onStatus).toHaveBeenCalledOnce();
});

it('keeps the job running when the payer declines', () => {
  const { seen } = show({});
  press('Stop this job');
  press('Let it run');
  expect(screen.getByRole('button', { name: 'Stop this job' })).toBeTruthy();
  expect(seen).toEqual([]);
});

it('cancels an unpaid job with its own texts', async () => {
  const { seen } = show(
    { status: 'cancelled', outcome: 'The job has ended. HYPE that was not spent is returned.' },
    false,
  );
  press('Cancel this job');
  expect(screen.getByText(/costs nothing. Do not send anything to its address any more/)).toBeTruthy();
  press('Cancel it now');
  expect(await screen.findByText(/^The job has ended/)).toBeTruthy();
  expect(seen).toHaveLength(1);
});

it('shows why a stop failed and allows a retry', async () => {
  show(() => errorAnswer(503, { message: 'Come back in a minute' }));
  press('Stop this job');
  press('Stop it now');
  expect(await screen.findByText('Come back in a minute')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Stop this job' })).toBeTruthy();
});
