// @vitest-environment happy-dom
import { apiAnswering } from '@maker/web-kit/testing';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import UnknownPayer from './unknown-payer.tsx';

const SECRET = `stop_${'s'.repeat(32)}`;
const OWN = `0x${'b1'.repeat(20)}`;
const CHECKSUMMED = '0xB1B1B1B1b1B1b1b1b1B1B1B1B1b1b1B1b1b1B1B1';

function show(props: object = {}) {
  const { api, seen } = apiAnswering({
    'POST /jobs/job_1/return-address': { returnAddress: OWN, awaitsOperator: true },
  });
  const deadEnds = { tokenAddress: `0x${'a1'.repeat(20)}`, treasury: '' };
  const onChanged = vi.fn();
  const shown = { api, jobId: 'job_1', deadEnds, proposed: undefined, stopSecret: SECRET, onChanged, ...props };
  const { rerender } = render(<UnknownPayer {...shown} />);
  return { seen, onChanged, propose: (proposed: string) => rerender(<UnknownPayer {...shown} proposed={proposed} />) };
}

describe('a payment whose payer is unknown', () => {
  it('accepts an address from the holder of the code', async () => {
    const { seen, onChanged, propose } = show();
    expect(screen.getByText(/does not show who paid.+held for you\. Enter your own address/)).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Your own address'), { target: { value: OWN } });
    fireEvent.click(screen.getByRole('button', { name: 'Save Address' }));
    await waitFor(() => expect(onChanged).toHaveBeenCalledWith({ returnAddress: OWN, awaitsOperator: true }));
    propose(OWN);
    expect(screen.getByText(CHECKSUMMED).getAttribute('translate')).toBe('no');
    expect(screen.getByText(/An operator checks this address/)).toBeTruthy();
    expect(seen[0]?.body).toEqual({ stopSecret: SECRET, returnAddress: OWN });
  });

  it('shows only the proposed address without the private code', () => {
    show({ stopSecret: undefined, proposed: OWN });
    expect(screen.getByText(CHECKSUMMED)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('explains how to propose an address', () => {
    show({ stopSecret: undefined });
    expect(screen.getByText(/Enter your private code below to name your own address, or contact support/)).toBeTruthy();
  });
});
