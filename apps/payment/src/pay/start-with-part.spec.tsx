// @vitest-environment happy-dom
import { apiAnswering, errorAnswer } from '@maker/web-kit/testing';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import StartWithPart from './start-with-part.tsx';

const SECRET = `stop_${'s'.repeat(32)}`;

beforeEach(cleanup);

function show(answer: object) {
  const { api, seen } = apiAnswering({ 'POST /jobs/job_1/start': answer });
  const onStatus = vi.fn();
  render(
    <StartWithPart api={api} jobId="job_1" stopSecret={SECRET} startableWei="410000000000000000" onStatus={onStatus} />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Start with 0.41 HYPE' }));
  return { seen, onStatus };
}

it('starts the job with what arrived', async () => {
  const { seen, onStatus } = show({ status: 'active', amountWei: '410000000000000000' });
  await waitFor(() => expect(onStatus).toHaveBeenCalledWith('active'));
  expect(seen[0]?.body).toEqual({ stopSecret: SECRET });
});

it('shows why the service does not start it', async () => {
  const { onStatus } = show(errorAnswer(409, { code: 'NOT_POSSIBLE_NOW', message: 'The payment is too small' }));
  expect(await screen.findByText('The payment is too small')).toBeTruthy();
  expect(onStatus).not.toHaveBeenCalled();
});
