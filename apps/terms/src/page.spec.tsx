// @vitest-environment happy-dom
import '@maker/web-kit/testing';
import {
  ENDING_RESERVE_WEI,
  FEE_PERCENT,
  formatHype,
  GAS_GUARDRAIL_WEI,
  GAS_RESERVE_WEI,
  MAXIMUM_PAYMENT_WEI,
  MINIMUM_PAYMENT_WEI,
  MOST_MERGED,
  ORDER_COST_MAXIMUM_WEI,
  ORDER_COST_MINIMUM_WEI,
  PAYMENT_TIMEOUT_MS,
  STANDARD_ORDER_WEI,
  WATCH_AFTER_END_MS,
} from '@maker/rules';
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

it.each([
  ['the fee', `service fee is ${FEE_PERCENT}% of the deposit`],
  ['the remaining part', `Of the remaining ${100n - FEE_PERCENT}%, ${formatHype(GAS_RESERVE_WEI)} HYPE is set aside`],
  ['the reserve for the end', `${formatHype(ENDING_RESERVE_WEI)} HYPE of it is kept`],
  ['an order', `usually buys for ${formatHype(STANDARD_ORDER_WEI)} HYPE`],
  ['the least order', `never for less than ${formatHype(ORDER_COST_MINIMUM_WEI)} HYPE`],
  [
    'the estimate',
    `divided by ${formatHype(ORDER_COST_MAXIMUM_WEI)} and by ${formatHype(ORDER_COST_MINIMUM_WEI)} HYPE`,
  ],
  ['merged orders', `up to ${MOST_MERGED} neighbouring orders are merged`],
  ['the guardrail', `at or below ${GAS_GUARDRAIL_WEI / 1_000_000_000n} gwei`],
  ['the smallest budget', `smallest budget is ${formatHype(MINIMUM_PAYMENT_WEI)} HYPE`],
  ['the largest budget', `the largest is ${formatHype(MAXIMUM_PAYMENT_WEI)} HYPE`],
  ['the time to pay', `${PAYMENT_TIMEOUT_MS / 60_000} minutes from the creation`],
  ['the time that is watched', `anything later than ${WATCH_AFTER_END_MS / 3_600_000} hours`],
])('the terms’ figures match the rules: %s', (_, words) => {
  expect(show().text).toContain(words);
});

/** Figures of specification § 9 'Terms of Service' without a constant in the rules: date, notice, age, months of liability. */
const OF_THE_SPECIFICATION = ['26', '2025', '7', '18', '6'];

it('contains only figures of rules and specification', () => {
  const known = [
    ...OF_THE_SPECIFICATION,
    ...[FEE_PERCENT, 100n - FEE_PERCENT, GAS_GUARDRAIL_WEI / 1_000_000_000n, MOST_MERGED].map(String),
    ...[PAYMENT_TIMEOUT_MS / 60_000, WATCH_AFTER_END_MS / 3_600_000].map(String),
    ...[GAS_RESERVE_WEI, ENDING_RESERVE_WEI, MINIMUM_PAYMENT_WEI, MAXIMUM_PAYMENT_WEI].map(formatHype),
    ...[STANDARD_ORDER_WEI, ORDER_COST_MINIMUM_WEI, ORDER_COST_MAXIMUM_WEI].map(formatHype),
  ];
  show();
  const texts = [...document.querySelectorAll('p, li')].map(({ textContent }) => textContent);
  const figures = texts.join(' ').match(/\d+(\.\d+)?/g) ?? [];
  expect(figures).toContain('1000');
  expect(figures.filter((figure) => !known.includes(figure))).toEqual([]);
});

it.each([
  ['the price from which a job waits', 'well above the price you saw before you paid'],
  ['a token that refuses', 'when the token keeps refusing purchases'],
  ['an unknown payer', 'until an operator confirms the address that you enter with your private code'],
  ['the network address of an unpaid job', 'While it is unpaid, it also stores your network address'],
])('the terms say what the product does about %s', (_, words) => {
  expect(show().text.includes(words)).toBe(true);
});

it('names reasons to stop a job and its latest end', () => {
  const { text } = show();
  expect(text).toContain('You can end your job at any time');
  expect(text).toContain('Each job has a latest end');
  expect(text).not.toContain('too large a share');
});

it.each(TERMS_FACTS)('the terms say: %s', (_, texts) => {
  const { text } = show();
  for (const each of texts) expect(text).toMatch(each);
});
