// @vitest-environment happy-dom
import { parseHype } from '@maker/rules';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { receiptOf } from './receipt.fixture.ts';
import { ReceiptLedger } from './receipt-ledger.tsx';

afterEach(cleanup);

const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

describe('where every part of the deposit went', () => {
  it('names held HYPE and held tokens with the reason', () => {
    const held = {
      heldWei: `${parseHype('0.1')}`,
      heldTokens: `${parseHype('2.5')}`,
      heldReason: 'no return address is known',
    };
    render(<ReceiptLedger receipt={receiptOf(held)} explorerUrl="" />);
    expect(fact('Held by the operator')).toBe('0.1 HYPE and 2.5 CAT: no return address is known');
  });

  it('links the transaction of the deposit', () => {
    const transactionHash = `0x${'ab'.repeat(32)}`;
    const deposits = [{ transactionHash, amountWei: '1' }];
    render(<ReceiptLedger receipt={receiptOf({})} deposits={deposits} explorerUrl="https://scan.example" />);
    const link = screen.getByText('Deposit (mined)').nextElementSibling?.querySelector('a');
    expect(link?.getAttribute('href')).toBe(`https://scan.example/tx/${transactionHash}`);
  });

  it('names tokens in the wallet of a running job', () => {
    render(<ReceiptLedger receipt={receiptOf({ heldTokens: `${parseHype('2.5')}` })} explorerUrl="" />);
    expect(fact('Still in the job wallet')).toBe('0.35 HYPE and 2.5 CAT');
  });
});
