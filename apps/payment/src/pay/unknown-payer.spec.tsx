// @vitest-environment happy-dom
import { apiAnswering } from '@maker/web-kit/testing';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import UnknownPayer from './unknown-payer.tsx';

const SECRET = `stop_${'s'.repeat(32)}`;
const OWN = `0x${'b1'.repeat(20)}`;

function show(props: object = {}) {
  const { api, seen } = apiAnswering({
    'POST /jobs/job_1/return-address': { returnAddress: OWN, awaitsOperator: true },
  });
  const deadEnds = { tokenAddress: `0x${'a1'.repeat(20)}`, treasury: '' };
  render(
    <UnknownPayer api={api} jobId="job_1" deadEnds={deadEnds} proposed={undefined} stopSecret={SECRET} {...props} />,
  );
  return seen;
}

describe('a payment whose payer is unknown', () => {
  it('takes an address from the holder of the private link', async () => {
    const seen = show();
    expect(screen.getByText(/does not show who paid.+held for you\. Enter your own address/)).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Your own address'), { target: { value: OWN } });
    fireEvent.click(screen.getByRole('button', { name: 'Save Address' }));
    expect((await screen.findByText(OWN)).getAttribute('translate')).toBe('no');
    expect(screen.getByText(/An operator checks this address/)).toBeTruthy();
    expect(seen[0]?.body).toEqual({ stopSecret: SECRET, returnAddress: OWN });
  });

  it('shows without the private link only what is asked for', () => {
    show({ stopSecret: undefined, proposed: OWN });
    expect(screen.getByText(OWN)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('names the way to an address where none is asked for', () => {
    show({ stopSecret: undefined });
    expect(screen.getByText(/with your private link, or contact support/)).toBeTruthy();
  });
});
