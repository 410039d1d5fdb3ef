// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Part } from './part.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const Broken = () => {
  throw new Error('broken');
};

it.each([
  [false, 'shownThis part could not be loaded. Reload the page to try again.'],
  [true, 'shown'],
])('keeps an error from its neighbours (ornament: %s)', (isOrnament, left) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'info').mockReturnValue();
  render(
    <>
      <p>shown</p>
      <Part isOrnament={isOrnament}>
        <Broken />
      </Part>
    </>,
  );
  expect(screen.getByText('shown')).toBeTruthy();
  expect(document.body.textContent).toBe(left);
});
