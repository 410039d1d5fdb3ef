import { EMPTY_TOTALS, type Execution, expectedBalance } from '@maker/execution-records';
import { type PoolCurve, PRICE_SCALE, readCurve } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  DEPOSIT_WEI,
  type Decided,
  decided,
  headAt,
  NOTHING_YET,
  ofKind,
  STARTED_AT_MS,
  sessionOf,
  TREASURY,
} from '../session/session.fixture.ts';
import { NEW_MEMORY, type Session } from '../session/session.ts';

const BOUGHT = 1000n;
const TOO_FEW = 10n;
const POOL = { exchangeId: 'hyperswap-v2', address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' } as const;

/** Returns a session of a job with bought tokens and a due order. */
function trading(change: Partial<Execution> = {}): Session {
  const totals = { ...EMPTY_TOTALS, depositWei: DEPOSIT_WEI, boughtWei: BOUGHT };
  const session = sessionOf({ id: 'job', phase: 'trading', totals, nextOrderAtMs: STARTED_AT_MS, ordersSigned: 1 });
  return { ...session, execution: { ...session.execution, ...change } };
}

/** Returns the curve of a deep pool in which a token costs one HYPE. */
function curveOf(amounts: readonly bigint[]): PoolCurve {
  const depthWei = 10n ** 24n;
  const samples = amounts.map((inWei) => ({ inWei, tokens: (depthWei * inWei) / (depthWei + inWei) }));
  const curve = readCurve({ exchange: POOL.exchangeId, orderGas: 160_000n, samples });
  if (!curve) throw new Error('no curve');
  return curve;
}

/** Runs a tick at which the wallet shows some tokens. */
function block(session: Session, number: number, walletTokens: bigint | undefined, more: Answers = {}): Decided {
  const { totals, tokenAddress } = session.execution;
  const answers: Answers = {
    ...NOTHING_YET,
    balance: () => ({ balanceWei: expectedBalance(totals), blockNumber: number }),
    market: ({ amounts }) => ({
      deepPools: [],
      offers: [{ pool: { ...POOL, token: tokenAddress }, curve: curveOf(amounts) }],
      walletTokens,
      quotedAtBlock: number,
      isConfirmed: true,
    }),
    orderGas: () => 160_000n,
    newestBlock: () => number,
    walletTokens: () => walletTokens,
    ...more,
  };
  return decided(session, answers, { head: headAt(number) });
}

const isTrading = ({ session }: Decided) => session.execution.phase === 'trading';
const boughtIn = (tick: Decided) => ofKind(tick, 'send').flatMap(({ orders = [] }) => orders).length;

describe('a wallet with fewer tokens than were bought (design § 4a)', () => {
  it('buys nothing until the balance is right', () => {
    const late = block(trading(), 100, TOO_FEW);
    expect([isTrading(late), boughtIn(late)]).toEqual([true, 0]);
    const shown = block(late.session, 101, BOUGHT);
    expect([isTrading(shown), boughtIn(shown)]).toEqual([true, 1]);
    expect(shown.session.memory.tokensMissed).toBeNull();
  });

  it.each([
    ['fewer tokens', TOO_FEW],
    ['no answer', undefined],
  ])('ends the job after ten blocks of %s', (_, tokens) => {
    let { session } = block(trading(), 100, tokens);
    for (let number = 101; number < 110; number += 1) {
      const tick = block(session, number, tokens);
      expect(isTrading(tick)).toBe(true);
      ({ session } = tick);
    }
    const last = block(session, 110, tokens);
    expect(isTrading(last)).toBe(false);
    expect(last.session.execution.ending).toEqual({
      kind: 'technical',
      message: 'the wallet holds fewer tokens than its orders should have bought',
      at: new Date(headAt(110).timestampMs),
    });
  });

  it('survives a late balance under each owner', () => {
    const first = block(trading(), 100, TOO_FEW);
    const handedOver = { ...first.session, memory: NEW_MEMORY, lease: { ...first.session.lease, token: 2 } };
    const second = block(handedOver, 5100, TOO_FEW);
    expect([isTrading(first), isTrading(second)]).toEqual([true, true]);
    expect([ofKind(second, 'enterPhase'), ofKind(second, 'end'), boughtIn(second)]).toEqual([[], [], 0]);
    const shown = block(second.session, 5101, BOUGHT);
    expect([isTrading(shown), boughtIn(shown)]).toEqual([true, 1]);
  });

  it('survives two late balances parted by a pause', () => {
    const first = block(trading(), 100, TOO_FEW);
    const pause = { jobId: 'job', kind: 'pause', version: '1' } as const;
    const paused = block({ ...first.session, facts: [pause] }, 101, TOO_FEW);
    expect(paused.asked).not.toContain('market');
    const second = block({ ...paused.session, facts: [] }, 5100, TOO_FEW);
    expect([isTrading(second), boughtIn(second)]).toEqual([true, 0]);
  });

  it('allows a difference of the slippage', () => {
    expect(boughtIn(block(trading(), 100, (BOUGHT * 99n) / 100n))).toBe(1);
    expect(boughtIn(block(trading(), 100, (BOUGHT * 98n) / 100n))).toBe(0);
  });
});

describe('a pool above the band (design § 2.4)', () => {
  const seen = (change: Partial<Execution> = {}) => {
    const { execution } = trading();
    return trading({ plan: { ...execution.plan, seenPriceX96: PRICE_SCALE }, ...change });
  };
  const other = { exchangeId: 'hyperswap-v3', address: TREASURY } as const;
  /** A market whose first pool costs a half more than the visitor saw, beside other pools. */
  const held = (...more: readonly (typeof other)[]): Answers => ({
    market: ({ amounts }) => {
      const { tokenAddress: token } = trading().execution;
      const fair = curveOf(amounts);
      const samples = fair.samples.map(({ inWei, tokens }) => ({ inWei, tokens: (tokens * 2n) / 3n }));
      const dear = readCurve({ exchange: POOL.exchangeId, orderGas: 100_000n, samples });
      if (!dear) throw new Error('no curve');
      const offers = [
        { pool: { ...POOL, token }, curve: dear },
        ...more.map((pool) => ({ pool: { ...pool, token }, curve: fair })),
      ];
      return { deepPools: [], offers, walletTokens: BOUGHT, quotedAtBlock: 100, isConfirmed: true };
    },
  });

  it('is passed over for a pool within it', () => {
    const tick = block(seen(), 100, BOUGHT, held(other));
    expect(ofKind(tick, 'send')).toMatchObject([{ transactions: [{ to: other.address }] }]);
    expect(tick.session.execution.paused).toBeNull();
  });

  it('pauses the job where it is the only one', () => {
    const tick = block(seen(), 100, BOUGHT, held());
    expect([boughtIn(tick), tick.session.execution.paused?.reason]).toEqual([0, 'price_band']);
  });
});

describe('an order', () => {
  it('is signed for the pool, with number and price', () => {
    const tick = block(trading(), 100, BOUGHT);
    const [send] = ofKind(tick, 'send');
    expect(send?.orders).toMatchObject([{ id: 'job/order/2', number: 2, exchange: POOL.exchangeId, merged: 1 }]);
    expect(send?.transactions).toMatchObject([{ id: 'job/order/2', purpose: 'order', to: POOL.address }]);
    const { ordersSigned, plan, nextOrderAtMs } = tick.session.execution;
    expect([ordersSigned, nextOrderAtMs]).toEqual([2, STARTED_AT_MS + plan.slotMs]);
    const seen = plan.seenPriceX96 ?? 0n;
    expect(seen - PRICE_SCALE < PRICE_SCALE / 1000n && PRICE_SCALE - seen < PRICE_SCALE / 1000n).toBe(true);
  });

  it('waits for a fresh quote, once', () => {
    const slow: Answers = { newestBlock: () => 103 };
    const old = block(trading(), 100, BOUGHT, slow);
    expect(boughtIn(old)).toBe(0);
    expect(boughtIn(block(old.session, 101, BOUGHT, { newestBlock: () => 104 }))).toBe(1);
  });

  it('reports a refusal while the pool is not tried', () => {
    const refusing: Answers = { orderGas: () => undefined };
    const tick = block(trading(), 100, BOUGHT, refusing);
    const since = new Date(headAt(100).timestampMs);
    expect(tick.session.execution.paused).toEqual({ reason: 'purchase_refused', since });
    const leftAlone = {
      market: () => ({ deepPools: [], offers: [], walletTokens: BOUGHT, quotedAtBlock: 103, isConfirmed: true }),
    };
    const later = block(tick.session, 103, BOUGHT, leftAlone);
    expect(later.session.execution.paused).toEqual({ reason: 'purchase_refused', since });
    const again = block(later.session, 170, BOUGHT);
    expect([again.session.execution.paused, boughtIn(again)]).toEqual([null, 1]);
  });

  it('pauses the job without a deep enough pool', () => {
    const tick = block(trading(), 100, BOUGHT, {
      market: () => ({ deepPools: [], offers: [], walletTokens: BOUGHT, quotedAtBlock: 100, isConfirmed: true }),
    });
    const since = new Date(headAt(100).timestampMs);
    expect(tick.session.execution.paused).toEqual({ reason: 'thin_liquidity', since });
    expect(block(tick.session, 102, BOUGHT).asked).not.toContain('market');
    const again = block(tick.session, 103, BOUGHT);
    expect([again.session.execution.paused, boughtIn(again)]).toEqual([null, 1]);
  });
});
