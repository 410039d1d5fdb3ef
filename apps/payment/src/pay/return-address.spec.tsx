// @vitest-environment happy-dom
import { type Answer, apiAnswering, errorAnswer } from '@maker/web-kit/testing';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ReturnAddress } from './return-address.tsx';

const SECRET = `stop_${'s'.repeat(32)}`;
const OWN = `0x${'b1'.repeat(20)}`;
const CHECKSUMMED = '0xB1B1B1B1b1B1b1b1b1B1B1B1B1b1b1B1b1b1B1B1';
const CALL = 'POST /jobs/job_1/return-address';

function show(answer: Answer = { returnAddress: OWN }, props: object = {}) {
  const { api, seen } = apiAnswering({ [CALL]: answer });
  const shown = {
    api,
    jobId: 'job_1',
    deadEnds: { tokenAddress: `0x${'a1'.repeat(20)}`, treasury: '' },
    named: undefined,
    isPartial: false,
    stopSecret: SECRET,
    onChanged: vi.fn(),
    ...props,
  };
  const { rerender } = render(<ReturnAddress {...shown} />);
  return { seen, ...shown, name: (named: string) => rerender(<ReturnAddress {...shown} named={named} />) };
}

const field = () => screen.getByLabelText<HTMLInputElement>('Your own address');
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save Address' });

/** Opens the form and types an address. */
async function enter(address: string): Promise<void> {
  const details = screen.getByText('Enter address').closest('details') as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  await screen.findByLabelText('Your own address');
  fireEvent.change(field(), { target: { value: address } });
}

describe('the recipient of tokens and change', () => {
  it('is shown in one line that is not folded', () => {
    show();
    const line = screen.getByText(
      'Tokens and change go to the address you pay from. Paying from an exchange? Enter your own address first.',
    );
    expect(line.closest('details')).toBeNull();
  });

  it('can be set by private code, shown in full', async () => {
    const { seen, onChanged, name } = show();
    await enter(OWN);
    fireEvent.click(save());
    await waitFor(() => expect(onChanged).toHaveBeenCalledWith({ returnAddress: OWN }));
    expect(screen.queryByText(/^Saved/)).toBeNull();
    name(OWN);
    expect(screen.getByText('Saved. Tokens and change go to')).toBeTruthy();
    expect((await screen.findByText(CHECKSUMMED)).getAttribute('translate')).toBe('no');
    expect(seen[0]?.body).toEqual({ stopSecret: SECRET, returnAddress: OWN });
    expect(screen.getByText('Change this address')).toBeTruthy();
  });

  it('offers no form without the private code', () => {
    show({}, { stopSecret: undefined });
    expect(screen.getByText(/^Tokens and change/).textContent).toBe(
      'Tokens and change go to the address you pay from. Do not pay from an exchange without the private code.',
    );
  });

  it('keeps warning and form open after a part arrived', async () => {
    show({}, { isPartial: true });
    expect(screen.getByText(/^Tokens and change/).textContent).toBe(
      'Tokens and change go to the address you pay from. Paid from an exchange? Enter your own address. Else send the rest from the same address.',
    );
    await enter(OWN);
    expect(save().disabled).toBe(false);
  });

  it('tells a wrong checksum before Save', async () => {
    const { seen } = show();
    await enter(CHECKSUMMED.toUpperCase().replace('0X', '0x').replace('B1', 'b1'));
    expect(screen.getByText(/wrong character or capital letter/)).toBeTruthy();
    expect(save().disabled).toBe(true);
    expect(seen).toEqual([]);
  });

  it('is read-only without the private code', async () => {
    show({}, { stopSecret: undefined, named: OWN });
    expect(await screen.findByText(CHECKSUMMED)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('shows why an address is rejected', async () => {
    show(errorAnswer(422, { code: 'RETURN_ADDRESS_REFUSED', message: "This is an exchange's pool" }));
    await enter(OWN);
    fireEvent.click(save());
    expect(await screen.findByText("This is an exchange's pool")).toBeTruthy();
    expect(save().disabled).toBe(true);
  });

  it('requires consent before a contract receives', async () => {
    const { seen } = show(errorAnswer(422, { code: 'RETURN_ADDRESS_IS_CONTRACT', message: 'A contract.' }));
    await enter(OWN);
    fireEvent.click(save());
    fireEvent.click(await screen.findByLabelText(/It is my contract/));
    fireEvent.click(save());
    await waitFor(() => expect(seen[1]?.body).toMatchObject({ returnAddressIsContract: true }));
  });

  it('shows that the payment has arrived meanwhile', async () => {
    show(errorAnswer(409, { code: 'NOT_POSSIBLE_NOW', message: 'The payment has arrived' }));
    await enter(OWN);
    fireEvent.click(save());
    expect(await screen.findByText('The payment has arrived')).toBeTruthy();
  });
});
