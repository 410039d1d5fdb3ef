// @vitest-environment happy-dom
import '@maker/web-kit/testing';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import TermsPage from './page.tsx';

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

/** What the text must say. Source: specification § 9. */
const FACTS: readonly (readonly [string, readonly RegExp[]])[] = [
  ['updated', [/Last updated 26 July 2025/]],
  ['fee', [/service fee is 30% of the deposit/i, /taken immediately/, /non-refundable/]],
  [
    'notice',
    [/change of the fee likewise needs 7 days’ notice/, /posted on this page at least 7 days before they take effect/],
  ],
  [
    'gas',
    [/base fee plus the priority fee on the network is above 10 gwei, and resumes when they are at or below 10 gwei/],
  ],
  ['age', [/at least 18 years old/]],
  [
    'jurisdictions',
    [
      /the United States and its territories/,
      /Canada/,
      /Cuba/,
      /Iran/,
      /Syria/,
      /North Korea/,
      /Belarus/,
      /Russia/,
      /Crimea, Donetsk and Luhansk/,
      /Sudan and South Sudan/,
      /Venezuela/,
      /Myanmar/,
      /Afghanistan/,
      /any other region under comprehensive sanctions/,
    ],
  ],
  ['liability', [/capped at the service fees that it received from you in the 6 months/]],
  ['disputes', [/binding online arbitration before a single arbitrator/, /class-action waiver/i]],
  ['wallets', [/Job wallets are controlled by the provider/, /Transactions on the network are irreversible/]],
];

it.each(FACTS)('the terms say: %s', (_, texts) => {
  const { text } = show();
  for (const each of texts) expect(text).toMatch(each);
});
