import { EMPTY_TOTALS, type Execution, expectedBalance } from '@maker/execution-records';
import { type PoolCurve, readCurve } from '@maker/rules';
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
} from '../session/session.fixture.ts';
import { NEW_MEMORY, type Session } from '../session/session.ts';
import type { Questions } from '../session/view.ts';

const POOL = { exchangeId: 'hyperswap-v2', address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' } as const;
const DEPTH_WEI = 10n ** 24n;
const PAR = 10_000n;

/** Returns the curve of a deep pool. @param price of a token, in ten-thousandths of a HYPE */
function curveAt(price: bigint, amounts: readonly bigint[]): PoolCurve {
  const tokensOf = (inWei: bigint) => (DEPTH_WEI * inWei * PAR) / ((DEPTH_WEI + inWei) * price);
  const samples = amounts.map((inWei) => ({ inWei, tokens: tokensOf(inWei) }));
  const curve = readCurve({ exchange: POOL.exchangeId, orderGas: 160_000n, samples });
  if (!curve) throw new Error('no curve');
  return curve;
}

/** Returns a session with a due order, whose market two hosts confirmed at par a second ago. */
function trading(change: Partial<Execution> = {}): Session {
  const totals = { ...EMPTY_TOTALS, depositWei: DEPOSIT_WEI };
  const { execution } = sessionOf({ id: 'job', phase: 'trading', totals, nextOrderAtMs: STARTED_AT_MS });
  const amounts = [10n ** 15n, 2n * 10n ** 15n];
  const { samples } = curveAt(PAR, amounts);
  const [sample] = samples;
  if (!sample) throw new Error('no sample');
  const priceX96 = (sample.inWei * 2n ** 96n) / sample.tokens;
  const confirmedQuote = { priceX96, atOrder: 0, atMs: STARTED_AT_MS - 1000 };
  return sessionOf({ ...execution, ...change }, { memory: { ...NEW_MEMORY, confirmedQuote } });
}

/** Runs a tick. @param quoted price of one host @param confirmed price of two hosts @param hosts 1: no second host answers */
function block(session: Session, quoted: bigint | 'no pool', confirmed: bigint = PAR, hosts = 2) {
  const markets: Questions['market'][0][] = [];
  const { totals, tokenAddress } = session.execution;
  const answers: Answers = {
    ...NOTHING_YET,
    balance: () => ({ balanceWei: expectedBalance(totals), blockNumber: 100 }),
    market: (question) => {
      markets.push(question);
      const price = question.isConfirmed ? confirmed : quoted;
      const offers =
        price === 'no pool'
          ? []
          : [{ pool: { ...POOL, token: tokenAddress }, curve: curveAt(price, question.amounts) }];
      return {
        deepPools: [],
        offers,
        walletTokens: 0n,
        quotedAtBlock: 100,
        isConfirmed: question.isConfirmed && hosts > 1,
      };
    },
    orderGas: () => 160_000n,
    newestBlock: () => 100,
    startPools: () => [],
  };
  const tick = decided(session, answers, { head: headAt(100) });
  return { tick, isConfirmed: markets.map((question) => question.isConfirmed) };
}

const ordersOf = (tick: Decided) => ofKind(tick, 'send').flatMap(({ orders = [] }) => orders);

describe('the market by which orders are placed (docs/adr/0116)', () => {
  it.each([
    ['the same', PAR],
    ['1 % higher', 10_099n],
    ['a little lower', 9_976n],
  ])('needs no second host while it is %s', (_, quoted) => {
    const { tick, isConfirmed } = block(trading(), quoted);
    expect(isConfirmed).toEqual([false]);
    expect(ordersOf(tick)).toHaveLength(1);
  });

  it.each([
    ['higher', 10_110n],
    ['lower', 9_970n],
    ['gone', 'no pool'],
  ] as const)('needs a second host when it is %s', (_, quoted) => {
    const { tick, isConfirmed } = block(trading(), quoted);
    expect(isConfirmed).toEqual([false, true]);
    const [order] = ordersOf(tick);
    expect(Number(order?.quotedTokens) / Number(order?.tradeWei)).toBeCloseTo(1, 4);
    expect(tick.session.execution.paused).toBeNull();
  });

  it.each([
    ['after sixteen orders', { ordersSigned: 16 }, {}],
    ['after a revert', { consecutiveFailures: 1 }, {}],
    ['at the first order', {}, { confirmedQuote: null }],
    ['after a minute', {}, { confirmedQuote: { priceX96: 1n, atOrder: 0, atMs: STARTED_AT_MS - 60_000 } }],
  ])('needs two hosts %s', (_, change, memory) => {
    const session = trading(change);
    const { isConfirmed } = block({ ...session, memory: { ...session.memory, ...memory } }, 10_200n);
    expect(isConfirmed).toEqual([true]);
  });

  it('follows one host near the price without another', () => {
    const session = trading({ ordersSigned: 16 });
    const near = block(session, PAR, 10_099n, 1).tick;
    expect(ordersOf(near)).toHaveLength(1);
    expect(near.session.memory.confirmedQuote).toEqual(session.memory.confirmedQuote);
    const far = block(session, PAR, 10_110n, 1).tick;
    expect([ordersOf(far), far.session.execution.paused]).toEqual([[], null]);
    expect(far.session.memory.nextQuoteAtMs).toBe(STARTED_AT_MS + 3000);
  });

  it('is remembered as confirmed', () => {
    const { session } = block(trading({ ordersSigned: 16 }), PAR).tick;
    expect(session.memory.confirmedQuote).toMatchObject({ atOrder: 16, atMs: STARTED_AT_MS });
    expect(session.memory.nextQuoteAtMs).toBe(0);
  });
});
