// @vitest-environment happy-dom
import { type Answer, apiAnswering, errorAnswer, testConfiguration } from '@maker/web-kit/testing';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import TokenStep from './step.tsx';

const ADDRESS = `0x${'a'.repeat(40)}`;
const VALID = { isValid: true, liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: true } };

function show(answer: Answer = VALID) {
  const { api, seen } = apiAnswering({ 'POST /validate-token': answer });
  const onValidated = vi.fn();
  render(<TokenStep api={api} configuration={testConfiguration()} onBack={vi.fn()} onValidated={onValidated} />);
  return { seen, onValidated };
}

const input = () => screen.getByPlaceholderText<HTMLInputElement>('0x...');
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^VALIDAT/ });
const type = (value: string) => fireEvent.change(input(), { target: { value } });
const validate = (address = ADDRESS) => {
  type(address);
  fireEvent.click(button());
};

describe('the token step', () => {
  it('has title, input and a disabled button', () => {
    show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Enter Token Address');
    expect(button().textContent).toBe('VALIDATE TOKEN');
    expect(button().disabled).toBe(true);
    type('0');
    expect(button().disabled).toBe(false);
  });

  it('reads VALIDATING... while it validates', async () => {
    const { seen } = show(() => new Promise(() => undefined));
    validate();
    expect(button().textContent).toBe('VALIDATING...');
    expect(button().disabled).toBe(true);
    fireEvent.click(button());
    await act(async () => undefined);
    expect(seen.map(({ call, body }) => ({ call, body }))).toEqual([
      { call: 'POST /validate-token', body: { tokenAddress: ADDRESS } },
    ]);
  });

  it('shows the green check and continues after 1 second', async () => {
    const status = { ...VALID.liquidityStatus, selectedDex: 'hyperswap-v3', v2LiquidityHype: 12.5 };
    const { onValidated } = show({ isValid: true, liquidityStatus: status });
    vi.useFakeTimers();
    validate();
    await act(() => vi.advanceTimersByTimeAsync(0));
    const title = screen.getByText('Token validated successfully! Proceeding...');
    const panel = title.closest('div');
    expect(title.querySelector('svg')).not.toBeNull();
    expect(
      [...(panel?.querySelectorAll('dt') ?? [])].map((name) => `${name.textContent}: ${name.nextSibling?.textContent}`),
    ).toEqual(['Exchange: HYPERSWAP-V3', 'V2 Liquidity: 12.5 HYPE', 'V3 Liquidity: Available']);
    await act(() => vi.advanceTimersByTimeAsync(999));
    expect(onValidated).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(onValidated).toHaveBeenCalledOnce();
  });

  it("shows 'Auto-selected' when no exchange is named (specification § 2)", async () => {
    show();
    validate();
    expect(await screen.findByText('Auto-selected')).toBeTruthy();
  });

  it('shows errors in the red box and stays', async () => {
    const { onValidated } = show({
      isValid: true,
      liquidityStatus: { meetsMinimum: false, hasV2: true, hasV3: false },
    });
    validate();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('Token does not meet minimum liquidity requirements');
    expect(alert.className).toContain('notice--red');
    expect(onValidated).not.toHaveBeenCalled();
  });

  it("shows the server's message of any error", async () => {
    show(() => errorAnswer(503, { message: 'Come back in a minute' }));
    validate();
    expect((await screen.findByRole('alert')).textContent).toBe('Come back in a minute');
  });

  it('keeps the input across a reload', () => {
    show();
    type('0x1234');
    document.body.replaceChildren();
    show();
    expect(input().value).toBe('0x1234');
  });

  it('restores the focus after being busy', async () => {
    show(() => errorAnswer(503, { message: 'Come back in a minute' }));
    type(ADDRESS);
    button().focus();
    fireEvent.click(button());
    // A browser does this when it paints a disabled button.
    button().blur();
    await screen.findByRole('alert');
    expect(document.activeElement).toBe(button());
  });
});
