// @vitest-environment happy-dom
import { apiAnswering, errorAnswer } from '@maker/web-kit/testing';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DownloadReceipt } from './download-receipt.tsx';

it('says that a download failed and allows a retry', async () => {
  const { api, seen } = apiAnswering({ 'GET /jobs/job_1/receipt.csv': () => errorAnswer(503, {}) });
  render(<DownloadReceipt api={api} jobId="job_1" verifyUrl="" />);
  fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  expect(await screen.findByText('The download failed. Try again')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  await expect.poll(() => seen.length).toBe(2);
});
