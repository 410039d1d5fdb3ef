// @vitest-environment happy-dom
import { readJobLink } from '@maker/web-kit';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import JobLinks from './job-links.tsx';

const jobId = `job_${'0'.repeat(32)}`;
const stopSecret = `stop_${'a'.repeat(32)}`;
const shownLink = () => document.querySelector('.code')?.textContent;

beforeEach(() => {
  cleanup();
  localStorage.clear();
});

it('shows the private link until it is kept', () => {
  const first = render(<JobLinks job={{ jobId, stopSecret }} />);
  expect(readJobLink(new URL(shownLink() ?? '').hash)).toEqual({ jobId, stopSecret });
  fireEvent.click(screen.getByRole('button', { name: 'I saved it' }));
  expect(shownLink()).toBeUndefined();
  first.unmount();
  render(<JobLinks job={{ jobId, stopSecret }} />);
  expect(shownLink()).toBeUndefined();
  expect(screen.getByRole('button', { name: 'Copy Private Link' })).toBeTruthy();
});

it('shows only a share link without stop rights', () => {
  render(<JobLinks job={{ jobId }} />);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Copy Link to Share']);
  expect(document.body.textContent).not.toContain('stop_');
});
