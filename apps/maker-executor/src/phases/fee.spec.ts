import type { ConfirmedPrice } from '@maker/chain';
import { EMPTY_TOTALS, type Execution } from '@maker/execution-records';
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
  TREASURY,
  transactionOf,
} from '../session/session.fixture.ts';
import { NEW_MEMORY, type Session } from '../session/session.ts';

const REFUSED = 'the treasury refused the fee';
const paying = (change: Partial<Execution> = {}, more: Partial<Session> = {}) =>
  sessionOf({ id: 'job', ...change }, more);
const at = (block: number) => ({ head: headAt(block) });

const shows = (balanceWei: bigint | undefined, more: Answers = {}): Answers => ({
  ...NOTHING_YET,
  balance: () => (balanceWei === undefined ? undefined : { balanceWei, blockNumber: 0 }),
  walletTokens: () => 0n,
  tokenMetadata: () => ({ name: 'A Token', symbol: 'ABC', decimals: 6 }),
  market: () => ({ deepPools: [], offers: [], walletTokens: 0n, quotedAtBlock: 0, isConfirmed: true }),
  ...more,
});

describe('the fee (design § 4)', () => {
  it('is sent to the treasury once the deposit is shown', () => {
    const { session, ...tick } = decided(paying(), shows(DEPOSIT_WEI), at(100));
    expect(ofKind(tick, 'send')).toMatchObject([
      {
        transactions: [
          { id: 'job/fee', purpose: 'fee', to: TREASURY, valueWei: session.execution.feeWei, gasLimit: 21_000 },
        ],
      },
    ]);
    expect(session.execution.phase).toBe('fee');
  });

  it('waits for its open transaction', () => {
    const session = paying({}, { open: [transactionOf('fee')] });
    const tick = decided(session, { ...NOTHING_YET }, at(100));
    expect(ofKind(tick, 'send')).toEqual([]);
    expect(tick.session.execution.phase).toBe('fee');
  });

  it('starts trading once booked, with the token’s name', () => {
    const { execution } = paying();
    const totals = { ...execution.totals, feeWei: execution.feeWei };
    const { session, ...tick } = decided(paying({ totals }), shows(DEPOSIT_WEI - execution.feeWei), at(100));
    expect(ofKind(tick, 'enterPhase')).toMatchObject([{ phase: 'trading' }]);
    const { phase, nextOrderAtMs, token } = session.execution;
    expect({ phase, nextOrderAtMs, token }).toEqual({
      phase: 'trading',
      nextOrderAtMs: headAt(100).timestampMs,
      token: { symbol: 'ABC', decimals: 6 },
    });
  });

  it('starts trading of a token without a name', () => {
    const { execution } = paying();
    const totals = { ...execution.totals, feeWei: execution.feeWei };
    const nameless = shows(DEPOSIT_WEI - execution.feeWei, { tokenMetadata: () => undefined });
    expect(decided(paying({ totals }), nameless, at(100)).session.execution).toMatchObject({
      phase: 'trading',
      token: null,
    });
  });

  it('waits a minute at most for room in the gas', () => {
    const { execution } = paying();
    const none = shows(DEPOSIT_WEI, { room: () => 0 });
    const first = decided(paying({ plan: { ...execution.plan, minuteGas: 1 } }), none, at(100));
    expect(ofKind(first, 'send')).toEqual([]);
    expect(first.session.memory.noRoomAtMs).toBe(headAt(100).timestampMs);
    expect(ofKind(decided(first.session, none, at(159)), 'send')).toEqual([]);
    expect(ofKind(decided(first.session, none, at(160)), 'send')).toHaveLength(1);
    expect(ofKind(decided(first.session, shows(DEPOSIT_WEI, { room: () => 1 }), at(101)), 'send')).toHaveLength(1);
  });
});

describe('a deposit that is not shown (design § 4)', () => {
  const lost = shows(DEPOSIT_WEI - 7n);

  it('waits, then stops the wallet', () => {
    let session = paying();
    for (let block = 100; block < 110; block += 1) {
      const tick = decided(session, lost, at(block));
      ({ session } = tick);
      expect([session.execution.driftWei, ofKind(tick, 'send')]).toEqual([0n, []]);
    }
    const last = decided(session, lost, at(110));
    expect(last.session.execution).toMatchObject({ phase: 'fee', driftWei: -7n });
    expect(ofKind(last, 'note').filter(({ drift }) => drift === 'missing')).toHaveLength(1);
    expect(ofKind(decided(last.session, lost, at(111)), 'pause')).toMatchObject([{ pause: 'ledger_drift' }]);
  });

  it('stops nothing while the endpoint lags', () => {
    let session = paying();
    for (let block = 100; block < 150; block += 1) ({ session } = decided(session, shows(undefined), at(block)));
    expect(session.execution).toMatchObject({ phase: 'fee', driftWei: 0n, paused: null });
  });

  it('is paid from once it is shown', () => {
    const { session } = decided(paying(), lost, at(100));
    const shown = decided(session, shows(DEPOSIT_WEI), at(105));
    expect(ofKind(shown, 'send')).toHaveLength(1);
    expect(shown.session.memory.depositMissed).toBeNull();
  });

  it('waits the full time again under the next owner', () => {
    const { session } = decided(paying(), lost, at(100));
    const handedOver = decided({ ...session, memory: NEW_MEMORY }, lost, at(5100));
    expect(handedOver.session.execution.driftWei).toBe(0n);
  });
});

describe('a plan whose trading is over before the fee (docs/adr/0064)', () => {
  it('costs no fee and returns the money', () => {
    const { execution } = paying();
    const tradingEndsAt = new Date(headAt(100).timestampMs);
    const late = paying({ plan: { ...execution.plan, tradingEndsAt } });
    const tick = decided(late, shows(DEPOSIT_WEI), at(100));
    expect(tick.session.execution).toMatchObject({ phase: 'return', ending: { kind: 'technical' } });
    expect(ofKind(tick, 'send')).toMatchObject([{ transactions: [{ purpose: 'return', to: PAYER }] }]);
    expect(ofKind(tick, 'note').filter(({ feeRefused }) => feeRefused)).toEqual([]);
    const before = decided(late, shows(DEPOSIT_WEI), at(99));
    expect(ofKind(before, 'send')).toMatchObject([{ transactions: [{ purpose: 'fee' }] }]);
  });
});

describe('the price that the visitor saw (docs/adr/0114)', () => {
  const SEEN = 1_000_000n;
  const seen = (change: Partial<Execution> = {}) => {
    const { execution } = paying();
    return paying({ plan: { ...execution.plan, seenPriceX96: SEEN }, ...change });
  };
  const confirming = (price: ConfirmedPrice) => shows(DEPOSIT_WEI, { confirmedPrice: () => price });

  it.each([SEEN, SEEN / 10n, SEEN + SEEN / 10n])('costs the fee when hosts confirm %s', (price) => {
    const tick = decided(seen(), confirming(price), at(100));
    expect(ofKind(tick, 'send')).toMatchObject([{ transactions: [{ purpose: 'fee' }] }]);
    expect(tick.session.execution).toMatchObject({ confirmedPriceX96: price, paused: null });
  });

  it('costs no fee while the market is above the band', () => {
    const above = confirming(SEEN + SEEN / 10n + 1n);
    const first = decided(seen(), above, at(100));
    expect(ofKind(first, 'send')).toEqual([]);
    expect(ofKind(first, 'pause')).toMatchObject([{ pause: 'price_band' }]);
    const soon = decided(first.session, above, at(101));
    expect([ofKind(soon, 'send'), soon.asked.includes('confirmedPrice')]).toEqual([[], false]);
    const back = decided(first.session, confirming(SEEN), at(115));
    expect(ofKind(back, 'send')).toMatchObject([{ transactions: [{ purpose: 'fee' }] }]);
    expect(back.session.execution.paused).toBeNull();
  });

  it('costs no fee while hosts report different prices', () => {
    const tick = decided(seen(), confirming('unconfirmed'), at(100));
    expect(ofKind(tick, 'send')).toEqual([]);
    expect(ofKind(decided(tick.session, confirming(SEEN), at(115)), 'send')).toHaveLength(1);
  });

  it.each([3n * SEEN, 'unconfirmed'] as const)('returns everything when the payer cancels at %s', (price) => {
    const waiting = decided(seen(), confirming(price), at(100)).session;
    const cancelled = { ...waiting, execution: { ...waiting.execution, cancelled: true } };
    const tick = decided(cancelled, confirming(price), at(101));
    expect(tick.session.execution).toMatchObject({ phase: 'return', ending: { kind: 'cancelled' }, paused: null });
    expect(ofKind(tick, 'send')).toMatchObject([{ transactions: [{ purpose: 'return', to: PAYER }] }]);
  });

  it('returns everything if never within the band', () => {
    const { execution } = paying();
    const tradingEndsAt = new Date(headAt(200).timestampMs);
    const first = decided(
      seen({ plan: { ...execution.plan, seenPriceX96: SEEN, tradingEndsAt } }),
      confirming(3n * SEEN),
      at(100),
    );
    const last = decided(first.session, confirming(3n * SEEN), at(200));
    expect(last.session.execution).toMatchObject({ phase: 'return', ending: { kind: 'liquidity' } });
    expect(ofKind(last, 'send')).toMatchObject([{ transactions: [{ purpose: 'return', to: PAYER }] }]);
  });

  it('is read once with a seen price and deep pools', () => {
    expect(decided(paying(), shows(DEPOSIT_WEI), at(100)).asked).not.toContain('confirmedPrice');
    const again = seen({ confirmedPriceX96: SEEN });
    expect(decided(again, shows(DEPOSIT_WEI), at(100)).asked).not.toContain('confirmedPrice');
    expect(ofKind(decided(seen(), confirming('none'), at(100)), 'send')).toHaveLength(1);
  });
});

describe('a job that gave its booking back (docs/adr/0155)', () => {
  const SEEN = 1_000_000n;
  const waiting = (isBooked: boolean | undefined, more: Answers = {}) =>
    shows(DEPOSIT_WEI, { confirmedPrice: () => SEEN, capacity: () => isBooked, ...more });
  const job = () => {
    const { execution } = paying();
    return paying({ plan: { ...execution.plan, seenPriceX96: SEEN } });
  };

  it('costs no fee until it has booked again', () => {
    const first = decided(job(), waiting(false), at(100));
    expect([ofKind(first, 'send'), ofKind(first, 'pause').map(({ pause }) => pause)]).toEqual([[], ['capacity']]);
    expect(first.session.execution.confirmedPriceX96).toBeUndefined();
    const soon = decided(first.session, waiting(true), at(101));
    expect([ofKind(soon, 'send'), soon.asked.includes('capacity')]).toEqual([[], false]);
    const booked = decided(first.session, waiting(true), at(115));
    expect(ofKind(booked, 'send')).toMatchObject([{ transactions: [{ purpose: 'fee' }] }]);
    expect(booked.session.execution).toMatchObject({ paused: null, confirmedPriceX96: SEEN });
  });

  it('waits without a pause while nobody answers', () => {
    const tick = decided(paying(), waiting(undefined), at(100));
    expect([ofKind(tick, 'send'), ofKind(tick, 'pause')]).toEqual([[], []]);
    expect(ofKind(decided(tick.session, waiting(true), at(115)), 'send')).toHaveLength(1);
  });

  it('checks the price again with its booking', () => {
    const { session } = decided(job(), waiting(false), at(100));
    const above = decided(session, waiting(true, { confirmedPrice: () => 2n * SEEN }), at(115));
    expect([ofKind(above, 'send'), above.asked.includes('capacity')]).toEqual([[], false]);
    expect(above.session.execution.paused?.reason).toBe('price_band');
  });

  it('books nothing before its price and its fee are right', () => {
    const outside = decided(job(), waiting(true, { confirmedPrice: () => 2n * SEEN }), at(100));
    const unconfirmed = decided(job(), waiting(true, { confirmedPrice: () => 'unconfirmed' }), at(100));
    const refused = decided(job(), waiting(true, { transferGas: () => ({ refusal: 'refuses it' }) }), at(100));
    for (const { asked } of [outside, unconfirmed, refused]) expect(asked).not.toContain('capacity');
  });

  it.each([false, undefined])('returns everything when the payer cancels at %s', (isBooked) => {
    const { session } = decided(job(), waiting(isBooked), at(100));
    const cancelled = { ...session, execution: { ...session.execution, cancelled: true } };
    const tick = decided(cancelled, waiting(isBooked), at(101));
    expect(tick.session.execution).toMatchObject({ phase: 'return', ending: { kind: 'cancelled' }, paused: null });
    expect(ofKind(tick, 'send')).toMatchObject([{ transactions: [{ purpose: 'return', to: PAYER }] }]);
  });

  it('returns everything at the end of its time', () => {
    const { execution } = paying();
    const tradingEndsAt = new Date(headAt(200).timestampMs);
    const first = decided(paying({ plan: { ...execution.plan, tradingEndsAt } }), waiting(false), at(100));
    const last = decided(first.session, waiting(true), at(200));
    expect(last.session.execution).toMatchObject({ phase: 'return', ending: { kind: 'technical' } });
    expect(ofKind(last, 'send')).toMatchObject([{ transactions: [{ purpose: 'return', to: PAYER }] }]);
  });
});

describe('a treasury that refuses the fee (design § 4)', () => {
  const ending = { kind: 'technical', message: REFUSED };

  it('ends the job and returns the money', () => {
    const refuses = shows(DEPOSIT_WEI, {
      transferGas: ({ to }) => (to === TREASURY ? { refusal: 'refuses it' } : { gasLimit: 21_000 }),
    });
    const tick = decided(paying(), refuses, at(100));
    expect(ofKind(tick, 'enterPhase')).toMatchObject([
      { phase: 'delivery', reason: REFUSED },
      { phase: 'return', reason: 'nothing is left to deliver' },
    ]);
    expect(ofKind(tick, 'note').filter(({ feeRefused }) => feeRefused)).toHaveLength(1);
    expect(tick.session.execution).toMatchObject({ phase: 'return', ending, heldReason: null });
    expect(ofKind(tick, 'send')).toMatchObject([{ transactions: [{ purpose: 'return' }] }]);
  });

  it('ends the job too after a reverted fee', () => {
    const totals = { ...EMPTY_TOTALS, depositWei: DEPOSIT_WEI, gasWei: 3n };
    const reverted = shows(DEPOSIT_WEI - 3n, {
      usedNonces: () => 1,
      signed: ({ purposes }) => (purposes.includes('fee') ? [transactionOf('fee')] : []),
    });
    const tick = decided(paying({ totals }, { highestNonce: 0 }), reverted, at(100));
    expect(tick.session.execution).toMatchObject({ phase: 'return', ending });
    expect(ofKind(tick, 'send')).toMatchObject([{ transactions: [{ purpose: 'return' }] }]);
  });
});
