import type { ClaimVerdict } from '@maker/chain';
import {
  EMPTY_TOTALS,
  PAYER_REFUTED,
  type PayerClaim,
  type Refund,
  sumRefunds,
  UNPROVEN,
} from '@maker/execution-records';
import { WALLET } from '@maker/execution-records/testing';
import type { Address, Hash } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  DEPOSIT_WEI,
  decided,
  headAt,
  NOTHING_YET,
  ofKind,
  PAYER,
  sessionOf,
} from '../session/session.fixture.ts';
import type { Session } from '../session/session.ts';
import { PAID_LATE } from './fee.ts';

const HASH: Hash = `0x${'ab'.repeat(32)}`;
const SENDER: Address = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
const AMOUNT_WEI = 10n ** 16n;
const head = headAt(100);
const settle = { jobId: 'job', kind: 'settle', version: '1' } as const;
const shown = (balanceWei: bigint, more: Answers = {}): Answers => ({
  ...NOTHING_YET,
  balance: () => ({ balanceWei, blockNumber: 100 }),
  usedNonces: () => 1,
  unexplainedReturns: () => 0,
  returnedBefore: () => false,
  ...more,
});

describe('a payer as the return address (docs/adr/0075)', () => {
  const claim: PayerClaim = {
    payer: PAYER,
    transfers: [{ transactionHash: HASH, amountWei: DEPOSIT_WEI }],
    isProven: false,
  };
  const judged = (sender: ClaimVerdict, payerClaim = claim) =>
    decided(sessionOf({ returnAddress: null, payerClaim }), shown(DEPOSIT_WEI, { sender: () => sender }), { head });

  it('receives nothing and pays no fee before the proof', () => {
    const waiting = judged('waiting');
    expect(ofKind(waiting, 'send')).toEqual([]);
    expect(waiting.session.execution).toMatchObject({ phase: 'fee', returnAddress: null });
  });

  it('becomes the return address once proven', () => {
    const proven = judged('proven');
    expect(ofKind(proven, 'send')).toHaveLength(1);
    expect(proven.session.execution).toMatchObject({ returnAddress: PAYER, payerClaim: { isProven: true } });
    expect(decided(proven.session, shown(DEPOSIT_WEI), { head: headAt(101) }).asked).not.toContain('sender');
  });

  it('is not accepted from one untrusted endpoint', () => {
    const unprovable = judged('unprovable');
    expect(ofKind(unprovable, 'send')).toHaveLength(1);
    expect(unprovable.session.execution).toMatchObject({ returnAddress: null });
  });

  describe('who paid, seen after the deadline (docs/adr/0142)', () => {
    const seenLate = (isLate: boolean | undefined) => {
      const answers = { sender: () => 'proven' as const, minedAfter: () => isLate, walletTokens: () => 0n };
      const session = sessionOf({ returnAddress: null, payerClaim: claim });
      return decided(session, shown(DEPOSIT_WEI, answers), { head: headAt(1100) });
    };

    it('pays no fee for a late payment, gets it back', () => {
      const { session, ...late } = seenLate(true);
      expect(session.execution).toMatchObject({ phase: 'return', ending: { message: PAID_LATE }, heldReason: null });
      expect(ofKind(late, 'send')).toMatchObject([{ transactions: [{ purpose: 'return', to: PAYER }] }]);
    });

    it('is executed if a host shows it in time', () => {
      expect(ofKind(seenLate(false), 'send')).toMatchObject([{ transactions: [{ purpose: 'fee' }] }]);
    });

    it('waits while too few hosts show its time', () => {
      const waiting = seenLate(undefined);
      expect(ofKind(waiting, 'send')).toEqual([]);
      expect(waiting.session.execution).toMatchObject({ phase: 'fee', payerClaim: { isProven: false } });
    });

    it('needs no time of a block before the deadline', () => {
      expect(judged('proven').asked).not.toContain('minedAfter');
    });
  });

  it.each<[string, ClaimVerdict, PayerClaim]>([
    ['the chain refutes', 'refuted', claim],
    ['another sum was paid', 'proven', { ...claim, transfers: [{ transactionHash: HASH, amountWei: 1n }] }],
  ])('ends the job without a fee when %s', (_, verdict, payerClaim) => {
    const refuted = judged(verdict, payerClaim);
    expect(ofKind(refuted, 'send')).toEqual([]);
    expect(refuted.session.execution).toMatchObject({
      phase: 'failed',
      returnAddress: null,
      heldReason: PAYER_REFUTED,
      ending: { kind: 'technical', message: PAYER_REFUTED },
      totals: { heldWei: DEPOSIT_WEI, feeWei: 0n },
    });
  });
});

describe('a refund to the sender of a deposit (docs/adr/0075)', () => {
  const due: Refund = {
    id: 'refund',
    jobId: 'job',
    depositIds: [`${WALLET.toLowerCase()}:${HASH}`],
    amountWei: AMOUNT_WEI,
    to: SENDER,
    sentBy: [{ transactionHash: HASH, amountWei: AMOUNT_WEI }],
    holdReason: null,
    blockNumber: 90,
    state: 'due',
    recordedAt: new Date(0),
  };
  const ended = (): Session => {
    const totals = { ...EMPTY_TOTALS, surplusWei: AMOUNT_WEI };
    return sessionOf({ id: 'job', phase: 'completed', totals }, { facts: [settle], highestNonce: 0 });
  };
  const settled = (refund: Refund, more: Answers, session = ended()) => {
    const answers = { refund: () => refund, refunds: () => [refund], refundSums: () => sumRefunds([refund]), ...more };
    return decided(session, shown(AMOUNT_WEI, answers), { head });
  };
  const expectHeld = (tick: ReturnType<typeof settled>) => {
    expect(ofKind(tick, 'send')).toEqual([]);
    expect(ofKind(tick, 'settleRefunds')).toMatchObject([{ state: 'held', holdReason: UNPROVEN }]);
  };

  it('is sent once the chain proves the sender', () => {
    const sent = ofKind(settled(due, { sender: () => 'proven' }), 'send');
    expect(sent).toMatchObject([{ transactions: [{ purpose: 'refund', to: SENDER }] }]);
  });

  it('waits and stays due while nothing is proven', () => {
    const waiting = settled(due, { sender: () => 'waiting' });
    expect(ofKind(waiting, 'send')).toEqual([]);
    expect(waiting.session.facts).toEqual([settle]);
  });

  it('is held when the chain does not prove its sender', () => {
    expectHeld(settled(due, { sender: () => 'refuted' }));
    expectHeld(settled(due, { sender: () => 'unprovable' }));
  });

  it('is held when its transfers are not its deposits', () => {
    expectHeld(settled({ ...due, sentBy: [{ transactionHash: HASH, amountWei: 1n }] }, {}));
    expectHeld(settled({ ...due, depositIds: ['another'] }, {}));
    expectHeld(settled({ ...due, sentBy: [] }, {}));
  });

  it('is held when its transfer was returned or paid', () => {
    expectHeld(settled(due, { sender: () => 'proven', returnedBefore: () => true }));
    const payerClaim = { payer: SENDER, transfers: due.sentBy ?? [], isProven: true };
    const paid = ended();
    expectHeld(settled(due, {}, { ...paid, execution: { ...paid.execution, payerClaim } }));
  });

  it('proves one sender at a time', () => {
    const other = { ...due, id: 'other' };
    const both = { refunds: () => [due, other], refundSums: () => sumRefunds([due]), sender: () => 'waiting' as const };
    expect(settled(due, both).asked.filter((kind) => kind === 'sender')).toHaveLength(1);
  });
});
