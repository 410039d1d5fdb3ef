// @vitest-environment happy-dom
import '@maker/web-kit/testing';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { localTimes } from './pause-times.ts';
import { Pauses } from './pauses.tsx';
import { receiptOf } from './receipt.fixture.ts';

const minute = (count: number) => new Date(Date.UTC(2026, 0, 1, 12, count)).toISOString();
const pauseAt = (count: number) => ({ reason: 'price_band' as const, since: minute(count), until: minute(count + 1) });
const lines = () => screen.queryAllByText(/./, { selector: 'dd' }).map(({ textContent }) => textContent);

describe('Pauses (specification § 9: each pause is on the receipt)', () => {
  it('shows nothing for a job without pauses', () => {
    const { container } = render(<Pauses receipt={receiptOf({ pauses: [] })} />);
    expect(container.textContent).toBe('');
  });

  it('shows reasons and times, newest first', () => {
    const pauses = [pauseAt(0), { reason: 'gas_guardrail' as const, since: minute(5) }];
    render(<Pauses receipt={receiptOf({ pauses, pausesInAll: 2 })} />);
    expect(screen.getAllByText(/./, { selector: 'dt' }).map(({ textContent }) => textContent)).toEqual([
      'Network fees above 10 gwei',
      'Price too far above the price you saw',
    ]);
    expect(lines()).toEqual([localTimes(minute(5), undefined), localTimes(minute(0), minute(1))]);
  });

  it('shows five pauses and counts the rest', () => {
    const pauses = Array.from({ length: 8 }, (_, count) => pauseAt(count * 2));
    render(<Pauses receipt={receiptOf({ pauses, pausesInAll: 10 })} />);
    expect(lines()).toHaveLength(5);
    fireEvent.click(screen.getByRole('button', { name: 'Show 3 more of 10 pauses' }));
    expect(lines()).toHaveLength(8);
    expect(screen.getByText('There were 2 earlier pauses.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
