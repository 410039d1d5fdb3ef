// @vitest-environment happy-dom
import { parseHype, splitDeposit } from '@maker/rules';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { receiptOf } from './receipt.fixture.ts';
import { depositOf, ReceiptLedger } from './receipt-ledger.tsx';

afterEach(cleanup);

const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

describe('the ledger of the deposit', () => {
  it('names held HYPE and held tokens with the reason', () => {
    const held = {
      heldWei: `${parseHype('0.1')}`,
      heldTokens: `${parseHype('2.5')}`,
      heldReason: 'no return address is known',
    };
    render(<ReceiptLedger receipt={receiptOf(held)} isEnded={false} explorerUrl="" />);
    expect(fact('Held by the operator')).toBe('0.1 HYPE and 2.5 CAT: no return address is known');
  });

  it('links the transaction of the deposit', () => {
    const transactionHash = `0x${'ab'.repeat(32)}` as const;
    const deposits = [{ transactionHash, amountWei: '1' }];
    render(
      <ReceiptLedger receipt={receiptOf({})} deposits={deposits} isEnded={false} explorerUrl="https://scan.example" />,
    );
    const link = screen.getByText('Deposit (mined)').nextElementSibling?.querySelector('a');
    expect(link?.getAttribute('href')).toBe(`https://scan.example/tx/${transactionHash}`);
  });

  it('tells two returns apart, and what is pending', () => {
    const transfer = { to: `0x${'c'.repeat(40)}`, gasWei: '0' };
    const transfers = [
      {
        ...transfer,
        kind: 'return',
        status: 'final',
        transactionHash: `0x${'1'.repeat(64)}`,
        amount: `${parseHype('1')}`,
      },
      {
        ...transfer,
        kind: 'return',
        status: 'final',
        transactionHash: `0x${'2'.repeat(64)}`,
        amount: `${parseHype('0.2')}`,
      },
      { ...transfer, kind: 'delivery', status: 'signed', transactionHash: `0x${'3'.repeat(64)}`, amount: '0' },
    ] as const;
    const refunds = [
      { amountWei: `${parseHype('1')}`, status: 'returned' as const, transactionHash: transfers[0].transactionHash },
    ];
    const receipt = receiptOf({ transfers: [...transfers] });
    render(<ReceiptLedger receipt={receipt} refunds={refunds} isEnded={false} explorerUrl="" />);
    const names = screen.getAllByText(/\((final|signed|pending)\)$/).map(({ textContent }) => textContent);
    expect(names).toEqual(['Refund of extra 1 HYPE (final)', 'Return of 0.2 HYPE (final)', 'Delivery (pending)']);
  });

  it.each([
    [false, 'pending', 'pending'],
    [true, '0 CAT', '0 HYPE'],
  ])('calls nothing sent a zero before the end: %s', (isEnded, delivered, returned) => {
    render(<ReceiptLedger receipt={receiptOf()} isEnded={isEnded} explorerUrl="" />);
    expect([fact('Tokens delivered'), fact('HYPE returned')]).toEqual([delivered, returned]);
  });

  it('names tokens in the wallet of a running job', () => {
    render(<ReceiptLedger receipt={receiptOf({ heldTokens: `${parseHype('2.5')}` })} isEnded={false} explorerUrl="" />);
    expect(fact('Still in the job wallet')).toBe('0.35 HYPE and 2.5 CAT');
  });
});

const of = (paidWei: bigint, arrivedWei = paidWei) =>
  depositOf({
    depositWei: arrivedWei.toString(),
    orderBudgetWei: splitDeposit(paidWei).orderBudgetWei.toString(),
  });

describe('depositOf', () => {
  it.each(['0.25', '0.5', '1', '999.999999999999999999'])('derives a payment of %s HYPE exactly', (hype) => {
    for (const wei of [0n, 1n, 2n, 3n, 7n]) {
      const paidWei = parseHype(hype) - wei;
      expect(of(paidWei)).toEqual({ paidWei, otherWei: 0n });
    }
  });

  it('excludes a second payment', () => {
    expect(of(parseHype('1'), parseHype('2'))).toEqual({ paidWei: parseHype('1'), otherWei: parseHype('1') });
  });
});
