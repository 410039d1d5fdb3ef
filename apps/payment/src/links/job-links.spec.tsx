// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import JobLinks from './job-links.tsx';

const jobId = `job_${'0'.repeat(32)}`;
const code = `stop_${'a'.repeat(32)}`;
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

beforeEach(cleanup);

it('shows the private code beside the link, in no address', () => {
  render(<JobLinks isStored jobId={jobId} privateCode={code} isCodeTyped={false} onCode={vi.fn()} />);
  expect(document.querySelector('.code')?.textContent).toBe(code);
  expect(buttons()).toEqual(['Copy Link', 'Copy Private Code', 'Download Private Code']);
  expect(location.href).not.toContain(code);
});

it('downloads the code as a file', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob);
    return 'blob:file';
  });
  render(<JobLinks isStored jobId={jobId} privateCode={code} isCodeTyped={false} onCode={vi.fn()} />);
  fireEvent.click(screen.getByRole('button', { name: 'Download Private Code' }));
  expect(await files[0]?.text()).toContain(`Private code: ${code}`);
  vi.restoreAllMocks();
});

it('takes the code of another device', () => {
  const onCode = vi.fn();
  render(<JobLinks isStored jobId={jobId} privateCode={undefined} isCodeTyped={false} onCode={onCode} />);
  const field = screen.getByLabelText('Private code');
  fireEvent.change(field, { target: { value: 'stop_short' } });
  fireEvent.click(screen.getByRole('button', { name: 'Use Private Code' }));
  expect(screen.getByText('A private code is stop_ followed by 32 letters, digits, - or _')).toBeTruthy();
  expect(onCode).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: ` ${code}\u200b` } });
  fireEvent.click(screen.getByRole('button', { name: 'Use Private Code' }));
  expect(onCode).toHaveBeenCalledWith(code);
});

it('lets another code replace an entered one', () => {
  render(<JobLinks isStored jobId={jobId} privateCode={code} isCodeTyped onCode={vi.fn()} />);
  expect(buttons()).toContain('Use Private Code');
});

it('shows only the link once no code has power', () => {
  render(<JobLinks isStored jobId={jobId} privateCode={code} isCodeTyped={false} onCode={undefined} />);
  expect(buttons()).toEqual(['Copy Link']);
  expect(document.body.textContent).not.toContain('stop_');
});

it('says to keep link and code where nothing is stored', () => {
  render(<JobLinks isStored={false} jobId={jobId} privateCode={code} isCodeTyped={false} onCode={vi.fn()} />);
  expect(document.body.textContent).toContain('This browser stores nothing.');
});
