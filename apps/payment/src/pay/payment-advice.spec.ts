import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { type ArrivedMoney, paymentAdvice } from './payment-advice.ts';

const DEADLINE = Date.UTC(2026, 0, 1, 14, 5);
const timeOfDay = (iso: string) => iso.slice(11, 16);

function moneyOf(received: string, changes: Partial<ArrivedMoney> & { late?: string } = {}): ArrivedMoney {
  const { late = '0', ...rest } = changes;
  const receivedWei = parseHype(received);
  return {
    status: 'pending_payment',
    paymentAmountWei: parseHype('0.5').toString(),
    paymentDeadline: new Date(DEADLINE).toISOString(),
    receivedWei: receivedWei.toString(),
    lateWei: parseHype(late).toString(),
    flags: {
      underpaid: receivedWei > 0n && receivedWei < parseHype('0.5'),
      overpaid: receivedWei > parseHype('0.5'),
      late: late !== '0',
    },
    ...rest,
  };
}

const texts = (money: ArrivedMoney, now = DEADLINE - 1000) =>
  paymentAdvice(money, now, timeOfDay).map(({ text }) => text);

describe('paymentAdvice (design § 4: under, over and late can hold at once)', () => {
  it('is empty when nothing or exactly enough arrived', () => {
    expect(texts(moneyOf('0'))).toEqual([]);
    expect(texts(moneyOf('0.5'))).toEqual([]);
  });

  it('shows a payment before its confirmation', () => {
    const waitingWei = parseHype('0.5').toString();
    expect(texts(moneyOf('0', { waitingWei }))).toEqual(['0.5 HYPE seen on the network, waiting for confirmation.']);
  });

  it('shows the missing amount and the deadline', () => {
    expect(texts(moneyOf('0.3'))).toEqual(['0.3 of 0.5 HYPE received, send 0.2 more before 14:05']);
  });

  it('requests nothing after the deadline', () => {
    for (const money of [moneyOf('0.3'), moneyOf('0.3', { status: 'payment_expired' })]) {
      const [text] = texts(money, DEADLINE + 1);
      expect(text).toMatch(/^0\.3 of 0\.5 HYPE received before the deadline\. That is not enough to start the job\./);
      expect(text).not.toMatch(/send/i);
    }
  });

  it('shows that a surplus counts up to 1000 HYPE', () => {
    expect(texts(moneyOf('0.6'))).toEqual([
      '0.6 HYPE received, 0.1 HYPE more than requested. All of it counts towards your budget.',
    ]);
    expect(texts(moneyOf('1200'))[0]).toMatch(/1000 HYPE counts towards your budget\. The rest is returned/);
  });

  it('shows that a second payment goes back', () => {
    const [advice] = paymentAdvice(moneyOf('1'), DEADLINE, timeOfDay, true);
    expect(advice?.text).toBe(
      '1 HYPE received, 0.5 HYPE more than requested. The HYPE that arrived after the job started is refunded.',
    );
  });

  it('shows that a dropped payment may count again', () => {
    const droppedWei = parseHype('0.3').toString();
    expect(texts(moneyOf('0', { droppedWei }))).toEqual([
      'The network removed a block with 0.3 HYPE that had arrived. Usually the network confirms the payment again. It then counts automatically. Check in your wallet that the payment is still listed.',
    ]);
    expect(texts(moneyOf('0', { droppedWei, status: 'active' }))[0]).toMatch(/Until then the job waits\.$/);
    expect(texts(moneyOf('0', { droppedWei, status: 'cancelled' }))[0]).toMatch(/had arrived\.$/);
  });

  it('shows that HYPE on HyperCore pays for nothing', () => {
    const hyperCoreWei = parseHype('0.25').toString();
    expect(texts(moneyOf('0', { hyperCoreWei, status: 'payment_expired' })).at(-1)).toBe(
      '0.25 HYPE arrived on HyperCore. It cannot pay here. Contact support.',
    );
  });

  it('shows that tokens pay for nothing', () => {
    const foundTokens = [
      { tokenAddress: '0x5', amount: '1500000000000000000', symbol: 'WHYPE', decimals: 18 },
      { tokenAddress: '0x6', amount: '2500000', symbol: 'BOTH', decimals: 6 },
    ];
    expect(texts(moneyOf('0', { foundTokens })).at(-1)).toBe(
      '1.5 WHYPE and 2.5 BOTH arrived here. Only HYPE pays for a job. Contact support.',
    );
  });

  it('explains late money in addition to other advice', () => {
    const [first, second] = texts(moneyOf('0.3', { status: 'payment_expired', late: '0.2' }), DEADLINE + 1);
    expect(first).toMatch(/not enough to start/);
    expect(second).toMatch(/^0\.2 HYPE arrived after the deadline\. It does not pay for this job\. It is refunded/);
  });
});
