// @vitest-environment happy-dom
import { type Answer, apiAnswering, errorAnswer, testConfiguration } from '@maker/web-kit/testing';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import TokenStep from './step.tsx';

const ADDRESS = `0x${'a'.repeat(40)}`;

function show(answer: Answer = {}) {
  const { api } = apiAnswering({ 'POST /validate-token': answer });
  render(<TokenStep api={api} configuration={testConfiguration()} onBack={vi.fn()} onValidated={vi.fn()} />);
}

const input = () => screen.getByPlaceholderText<HTMLInputElement>('0x...');
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^VALIDAT/ });
const type = (value: string) => fireEvent.change(input(), { target: { value } });

describe('the token step', () => {
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
