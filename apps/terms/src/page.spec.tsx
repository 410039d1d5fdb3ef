// @vitest-environment happy-dom
import '@maker/web-kit/testing';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import TermsPage from './page.tsx';
import { TERMS_FACTS } from './terms-facts.fixture.ts';

function show() {
  const events = { onBack: vi.fn(), onHome: vi.fn() };
  const { container } = render(<TermsPage {...events} />);
  return { ...events, text: (container.textContent ?? '').replaceAll(/\s+/g, ' ') };
}

it('has its title and a Back button (specification § 2)', () => {
  const { onBack } = show();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Terms of Service');
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(onBack).toHaveBeenCalledOnce();
});

it.each(TERMS_FACTS)('the terms say: %s', (_, texts) => {
  const { text } = show();
  for (const each of texts) expect(text).toMatch(each);
});
