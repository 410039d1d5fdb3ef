import { erc20Abi } from '@maker/chain';
import { beginAttempts, EMPTY_TOTALS, type Execution, expectedBalance, NO_GAS } from '@maker/execution-records';
import { decodeFunctionData } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  type Decided,
  decided,
  headAt,
  inclusionOf,
  NOTHING_YET,
  ofKind,
  PAYER,
  STARTED_AT_MS,
  sessionOf,
  transactionOf,
} from '../session/session.fixture.ts';
import type { Session } from '../session/session.ts';

const BOUGHT = 1000n;
const REST_WEI = 10n ** 17n;
const TOTALS = { ...EMPTY_TOTALS, depositWei: REST_WEI, boughtWei: BOUGHT };

function delivering(change: Partial<Execution> = {}): Session {
  const ending = { kind: 'completed', message: 'the budget is spent' } as const;
  return sessionOf({ id: 'job', phase: 'delivery', totals: TOTALS, ending, ...change });
}

/** Runs a tick at which the wallet shows some tokens. */
function block(session: Session, number: number, tokens: bigint | undefined, more: Answers = {}): Decided {
  const balanceWei = expectedBalance(session.execution.totals);
  const answers: Answers = {
    ...NOTHING_YET,
    balance: () => ({ balanceWei, blockNumber: number }),
    walletTokens: () => tokens,
    ...more,
  };
  return decided(session, answers, { head: headAt(number) });
}

const sent = (tick: Decided) =>
  ofKind(tick, 'send').flatMap(({ transactions }) => transactions.map(({ purpose }) => purpose));

/** Returns the job's phase, and why tokens are held. */
const stateOf = ({ session: { execution } }: Decided) => [execution.phase, execution.heldReason];

describe('a delivery (design §§ 2.2 and 4)', () => {
  it('sends all tokens to the return address', () => {
    const tick = block(delivering(), 100, BOUGHT);
    const [transaction] = ofKind(tick, 'send')[0]?.transactions ?? [];
    expect(transaction).toMatchObject({
      id: 'job/delivery/1',
      purpose: 'delivery',
      to: delivering().execution.tokenAddress,
      valueWei: 0n,
    });
    const call = decodeFunctionData({ abi: erc20Abi, data: transaction?.data ?? '0x' });
    expect([call.functionName, call.args]).toEqual(['transfer', [PAYER, BOUGHT]]);
    expect(tick.session.execution.attempts).toMatchObject({
      count: 1,
      lastTransfer: { sentTokens: BOUGHT, deliveredTokens: 0n },
    });
  });

  it('waits for its open transaction', () => {
    const session = { ...delivering(), open: [transactionOf('delivery')] };
    const tick = block(session, 100, 0n);
    expect([stateOf(tick), sent(tick)]).toEqual([['delivery', null], []]);
  });

  it.each([
    ['nothing was bought', { ...TOTALS, boughtWei: 0n }, 0n],
    ['nothing was bought, and the token does not answer', { ...TOTALS, boughtWei: 0n }, undefined],
    ['all was delivered', { ...TOTALS, deliveredWei: BOUGHT }, 0n],
  ])('is over when %s', (_, totals, tokens) => {
    const tick = block(delivering({ totals }), 100, tokens);
    expect(ofKind(tick, 'enterPhase')).toMatchObject([{ phase: 'return' }]);
    expect([stateOf(tick), sent(tick)]).toEqual([['return', null], ['return']]);
    expect(ofKind(tick, 'enterPhase')[0]?.log).toBeUndefined();
  });

  it('waits ten seconds for a lagging endpoint', () => {
    const { session, ...first } = block(delivering(), 100, BOUGHT - 1n);
    expect(sent({ session, ...first })).toEqual([]);
    expect(sent(block(session, 109, BOUGHT - 1n))).toEqual([]);
    expect(sent(block(session, 110, BOUGHT - 1n))).toEqual(['delivery']);
    expect(sent(block(session, 101, BOUGHT))).toEqual(['delivery']);
  });

  it.each<[string, Partial<Execution>, bigint, string]>([
    ['the wallet shows none', {}, 0n, 'the wallet shows none of the bought tokens'],
    ['no return address is known', { returnAddress: null }, BOUGHT, 'no return address is known'],
  ])('holds the tokens when %s', (_, change, tokens, heldReason) => {
    const attempts = beginAttempts(headAt(90).timestampMs);
    const tick = block(delivering({ attempts, ...change }), 100, tokens);
    expect(tick.session.execution.heldReason).toBe(heldReason);
    expect(ofKind(tick, 'enterPhase')).toMatchObject([
      { phase: 'return', log: { level: 'error', message: 'bought tokens held', fields: { heldReason } } },
    ]);
  });

  it('reverses a delivery that only the token’s event shows', () => {
    const lied = { ...TOTALS, deliveredWei: BOUGHT };
    const tick = block(delivering({ totals: lied }), 100, BOUGHT);
    expect(tick.session.execution.totals.deliveredWei).toBe(0n);
    expect(ofKind(tick, 'note').flatMap(({ entries = [] }) => entries)).toMatchObject([
      { kind: 'delivered', amountWei: BOUGHT, from: 'payer', to: 'wallet' },
    ]);
    expect(sent(tick)).toEqual(['delivery']);
  });
});

describe('a delivery that is refused (docs/adr/0028)', () => {
  it.each<[string, bigint | undefined, Answers, string]>([
    [
      'by the token',
      BOUGHT,
      { transferGas: ({ data }) => (data === undefined ? { gasLimit: 21_000 } : { refusal: 'refuses it' }) },
      'the token cannot be delivered: it refuses it',
    ],
    ['by a balance', undefined, {}, 'the token does not report the balance of the wallet'],
  ])('%s is tried three times, then held', (_, tokens, more, refusal) => {
    const first = block(delivering(), 100, tokens, more);
    expect(first.session.execution).toMatchObject({ phase: 'delivery', attempts: { count: 1, refusal } });
    const early = block(first.session, 102, tokens, more);
    expect(early.asked).not.toContain('walletTokens');
    const second = block(first.session, 103, tokens, more);
    expect(second.session.execution).toMatchObject({ phase: 'delivery', attempts: { count: 2, refusal } });
    const third = block(second.session, 118, tokens, more);
    expect([stateOf(third), sent(third)]).toEqual([['return', refusal], ['return']]);
  });

  it('is checked immediately when the job is cancelled', () => {
    const first = block(delivering(), 100, undefined);
    const { execution } = first.session;
    const cancelled = { ...first.session, execution: { ...execution, cancelled: true } };
    expect(block(cancelled, 101, undefined).asked).toContain('walletTokens');
  });

  it.each([
    ['was reverted', false, 'the token reverted its delivery'],
    ['moved no tokens', true, 'the token was delivered and is still in the wallet'],
  ])('that %s three times is held', (_, succeeded, heldReason) => {
    const attempts = { ...beginAttempts(headAt(90).timestampMs), count: 3 };
    const inclusion = inclusionOf({ succeeded });
    const tick = block(delivering({ attempts }), 100, BOUGHT, {
      signed: ({ purposes }) => (purposes.includes('delivery') ? [transactionOf('delivery', { inclusion })] : []),
    });
    expect([stateOf(tick), sent(tick)]).toEqual([['return', heldReason], ['return']]);
    expect(tick.session.execution.attempts).toMatchObject({ count: 1 });
  });

  it.each([
    ['for an unknown reason', null, 'the tokens could not be delivered in time'],
    ['for its last refusal', 'it refuses', 'it refuses'],
  ])('ends after ten minutes %s', (_, refusal, heldReason) => {
    const attempts = { ...beginAttempts(headAt(100).timestampMs), refusal };
    expect(stateOf(block(delivering({ attempts }), 699, BOUGHT - 1n))).toEqual(['delivery', null]);
    const late = block(delivering({ attempts }), 700, BOUGHT - 1n);
    expect(stateOf(late)).toEqual(['return', heldReason]);
    expect(late.asked).not.toContain('walletTokens');
  });
});

describe('a delivery without gas (docs/adr/0028)', () => {
  const totals = { ...TOTALS, depositWei: 0n };

  it('holds the tokens immediately', () => {
    const tick = block(delivering({ totals }), 100, BOUGHT);
    expect(tick.session.execution).toMatchObject({ phase: 'completed', heldReason: NO_GAS });
    expect([ofKind(tick, 'enterPhase').length, ofKind(tick, 'end').length, sent(tick)]).toEqual([1, 1, []]);
  });

  it('of a release waits an hour for the gas', () => {
    const released = delivering({ totals, releasedAt: new Date(STARTED_AT_MS) });
    const first = block(released, 100, BOUGHT);
    expect(first.session.execution).toMatchObject({ phase: 'delivery', attempts: { count: 0, refusal: NO_GAS } });
    expect(block(first.session, 109, BOUGHT).asked).not.toContain('walletTokens');
    expect(block(first.session, 110, BOUGHT).asked).toContain('walletTokens');
    expect(stateOf(block(first.session, 3699, BOUGHT))).toEqual(['delivery', null]);
    const late = block(first.session, 3700, BOUGHT);
    expect(late.session.execution).toMatchObject({ phase: 'completed', heldReason: NO_GAS });
  });

  it('continues a release once gas arrives', () => {
    const released = delivering({ totals, releasedAt: new Date(STARTED_AT_MS) });
    const { session } = block(released, 100, BOUGHT);
    const paid = { ...session, execution: { ...session.execution, totals: TOTALS } };
    expect(sent(block(paid, 110, BOUGHT))).toEqual(['delivery']);
  });

  it('finds the gas before the next usual check', () => {
    const { session } = block(delivering({ totals, releasedAt: new Date(STARTED_AT_MS) }), 100, BOUGHT);
    const came: Answers = { balance: () => ({ balanceWei: REST_WEI, blockNumber: 110 }) };
    expect(sent(block(session, 110, BOUGHT, came))).toEqual(['delivery']);
  });
});

describe('tokens that were sent by mistake (docs/adr/0093)', () => {
  const WHYPE = '0x5555555555555555555555555555555555555555';
  const released = () =>
    delivering({ otherTokens: [WHYPE], releasedAt: new Date(STARTED_AT_MS), returnAddress: PAYER });
  const held = (whype: bigint | undefined, own: bigint): Answers => ({
    walletTokens: ({ token }) => (token === WHYPE ? whype : own),
  });

  it('go first, to the address of the release', () => {
    const tick = block(released(), 100, undefined, held(7n, BOUGHT));
    const [transaction] = ofKind(tick, 'send')[0]?.transactions ?? [];
    expect(transaction).toMatchObject({ purpose: 'delivery', to: WHYPE, valueWei: 0n });
    const call = decodeFunctionData({ abi: erc20Abi, data: transaction?.data ?? '0x' });
    expect([call.functionName, call.args]).toEqual(['transfer', [PAYER, 7n]]);
  });

  it('are followed by the bought ones', () => {
    const tick = block(released(), 100, undefined, held(0n, BOUGHT));
    const [transaction] = ofKind(tick, 'send')[0]?.transactions ?? [];
    expect(transaction).toMatchObject({ to: released().execution.tokenAddress });
    expect(tick.session.execution).toMatchObject({ otherTokens: [], heldReason: null });
  });

  it('block nothing when their contract refuses', () => {
    const refuses: Answers = {
      ...held(7n, BOUGHT),
      transferGas: ({ to }) => (to === WHYPE ? { refusal: 'refuses' } : { gasLimit: 50_000 }),
    };
    let tick = block(released(), 100, undefined, refuses);
    for (let number = 110; number < 300 && tick.session.execution.otherTokens?.length; number += 10)
      tick = block(tick.session, number, undefined, refuses);
    expect(tick.session.execution.heldReason).toMatch(/cannot be delivered/);
    expect(sent(tick)).toEqual(['delivery']);
  });
});
