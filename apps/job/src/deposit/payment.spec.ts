import { isInTime, WEI_PER_HYPE } from '@maker/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEADLINE_MS, depositFixture } from '../job/job.fixture.ts';
import type { Deposit } from './deposit.ts';
import { findPayment } from './payment.ts';

const [ALICE, BOB, CAROL] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const REQUIRED = WEI_PER_HYPE;
const SHORT = (REQUIRED * 99n) / 100n;

/** One deposit of a case: the sender of a plain transfer, or null for a contract or HyperCore; wei; late or dropped. */
type Arrival = readonly [from: string | null, amountWei: bigint, fate?: 'late' | 'dropped' | undefined];

const depositsOf = (arrivals: readonly Arrival[]) =>
  arrivals.map(([from, amountWei, fate], index) =>
    depositFixture({
      ...(from === null ? { kind: 'internal' as const } : { from }),
      amountWei,
      blockNumber: index + 1,
      dropped: fate === 'dropped',
      blockTimestampMs: fate === 'late' ? DEADLINE_MS + 1 : DEADLINE_MS,
    }),
  );

const find = (deposits: readonly Deposit[]) => findPayment(deposits, REQUIRED, DEADLINE_MS);

/** Deposits in the order of their blocks, the expected payer, and the positions of the paying deposits. */
const CASES: readonly [string, readonly Arrival[], string | null | undefined, (readonly number[])?][] = [
  ['one transfer of enough', [[ALICE, REQUIRED]], ALICE, [0]],
  ['too much: the budget takes all of it', [[ALICE, REQUIRED * 3n]], ALICE, [0]],
  [
    'parts of one sender',
    [
      [ALICE, SHORT],
      [ALICE, REQUIRED - SHORT],
    ],
    ALICE,
    [0, 1],
  ],
  ['too little', [[ALICE, SHORT]], undefined],
  [
    'enough, but a part of it late',
    [
      [ALICE, SHORT],
      [ALICE, REQUIRED, 'late'],
    ],
    undefined,
  ],
  [
    'enough, but a part was dropped',
    [
      [ALICE, SHORT],
      [ALICE, REQUIRED, 'dropped'],
    ],
    undefined,
  ],
  [
    'enough from an unknown sender before a known one',
    [
      [null, REQUIRED],
      [ALICE, REQUIRED],
    ],
    ALICE,
    [1],
  ],
  [
    'a stranger’s dust before the payer',
    [
      [BOB, 1n],
      [ALICE, REQUIRED],
    ],
    ALICE,
    [1],
  ],
  [
    'a stranger who adds more to an underpaid job',
    [
      [ALICE, SHORT],
      [BOB, SHORT + 1n],
    ],
    null,
    [0, 1],
  ],
  [
    'a stranger who pays an underpaid job alone',
    [
      [ALICE, SHORT],
      [BOB, REQUIRED],
    ],
    BOB,
    [1],
  ],
  [
    'two sufficient senders: the first to cover',
    [
      [BOB, SHORT],
      [ALICE, REQUIRED],
      [BOB, REQUIRED],
    ],
    ALICE,
    [1],
  ],
  ['a contract', [[null, REQUIRED]], null, [0]],
  [
    'a contract beside a stranger’s dust',
    [
      [BOB, 1n],
      [null, REQUIRED],
    ],
    null,
    [1],
  ],
  [
    'a part from a contract, all from a sender',
    [
      [null, SHORT],
      [ALICE, REQUIRED],
    ],
    ALICE,
    [1],
  ],
  [
    'a contract and a sender, enough together',
    [
      [null, SHORT],
      [ALICE, SHORT],
    ],
    null,
    [0, 1],
  ],
  [
    'several senders, enough together',
    [
      [ALICE, REQUIRED / 2n],
      [BOB, REQUIRED / 2n],
    ],
    null,
    [0, 1],
  ],
];

describe('findPayment (design § 4 ‘Return address’)', () => {
  it('never takes a system address as payer', () => {
    for (const from of [`0x${'22'.repeat(20)}`, `0x20${'00'.repeat(18)}C8`]) {
      expect(find(depositsOf([[from, REQUIRED]]))).toMatchObject({ payer: null, amountWei: REQUIRED });
    }
  });

  it.each(CASES)('%s', (_, arrivals, payer, places = []) => {
    const deposits = depositsOf(arrivals);
    const payment = find(deposits);
    expect(payment?.payer).toBe(payer);
    expect(payment?.depositIds ?? []).toEqual(places.map((place) => deposits[place]?.depositId));
  });

  it('follows block order, not arrival order', () => {
    const deposits = depositsOf([
      [ALICE, REQUIRED],
      [BOB, REQUIRED],
    ]);
    expect(find(deposits.toReversed())?.payer).toBe(ALICE);
    const parts = depositsOf([
      [ALICE, SHORT],
      [ALICE, REQUIRED - SHORT],
    ]);
    expect(find(parts.toReversed())?.depositIds).toEqual(parts.map(({ depositId }) => depositId));
  });

  const anything: fc.Arbitrary<Arrival[]> = fc.array(
    fc.tuple(
      fc.constantFrom(ALICE, BOB, CAROL, null),
      fc.bigInt({ min: 1n, max: REQUIRED }),
      fc.constantFrom(undefined, 'late' as const, 'dropped' as const),
    ),
    { maxLength: 10 },
  );
  const timely = (deposits: readonly Deposit[]) =>
    deposits.filter(({ dropped, blockTimestampMs }) => !dropped && isInTime(blockTimestampMs, DEADLINE_MS));
  const sum = (deposits: readonly Deposit[]) => deposits.reduce((total, { amountWei }) => total + amountWei, 0n);

  it('exists if timely deposits cover the amount', () => {
    fc.assert(
      fc.property(anything, (arrivals) => {
        const deposits = depositsOf(arrivals);
        const payment = find(deposits);
        expect(payment !== undefined).toBe(sum(timely(deposits)) >= REQUIRED);
        if (!payment) return;
        const paying = timely(deposits).filter(({ depositId }) => payment.depositIds.includes(depositId));
        expect(paying).toHaveLength(payment.depositIds.length);
        expect(payment.amountWei).toBe(sum(paying));
        expect(payment.amountWei).toBeGreaterThanOrEqual(REQUIRED);
      }),
    );
  });

  it('names only a sender who covered the amount', () => {
    fc.assert(
      fc.property(anything, (arrivals) => {
        const deposits = depositsOf(arrivals);
        const { payer, depositIds = [] } = find(deposits) ?? {};
        if (typeof payer !== 'string') return;
        const own = timely(deposits).filter(({ kind, from }) => kind === 'transfer' && from === payer);
        expect(sum(own)).toBeGreaterThanOrEqual(REQUIRED);
        expect(depositIds).toEqual(own.map(({ depositId }) => depositId));
      }),
    );
  });

  it('ignores strangers who send less than the amount', () => {
    const paid = fc.constantFrom<readonly Arrival[]>(
      [[ALICE, REQUIRED]],
      [[null, REQUIRED]],
      [
        [ALICE, 1n],
        [ALICE, REQUIRED],
      ],
    );
    const dust = fc.array(fc.tuple(fc.nat(5), fc.bigInt({ min: 1n, max: REQUIRED / 10n - 1n })), { maxLength: 10 });
    fc.assert(
      fc.property(paid, dust, (payment, strangers) => {
        const honest = depositsOf(payment);
        const sent = strangers.map(([blockNumber, amountWei]) =>
          depositFixture({ from: BOB, amountWei, blockNumber, blockTimestampMs: DEADLINE_MS }),
        );
        expect(find([...honest, ...sent])).toEqual(find(honest));
      }),
    );
  });
});
