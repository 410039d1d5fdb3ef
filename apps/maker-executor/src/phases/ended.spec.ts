import { type DustChecks, EMPTY_TOTALS, NO_REFUNDS, type Refund } from '@maker/execution-records';
import { describe, expect, it } from 'vitest';
import { type Answers, decided, headAt, NOTHING_YET, ofKind, PAYER, sessionOf } from '../session/session.fixture.ts';
import type { Session } from '../session/session.ts';
import { pauseAfter } from './ended.ts';

const settle = { jobId: 'job', kind: 'settle', version: '1' } as const;

/** An ended wallet to which something came. */
function ended(dustChecks: DustChecks | null = null, surplusWei = 0n): Session {
  const totals = { ...EMPTY_TOTALS, surplusWei };
  return sessionOf({ id: 'job', phase: 'never_ran', totals, dustChecks }, { facts: [settle] });
}

/** Due, and of a block that the chain does not show yet, so that nothing is sent. */
const worthIt: Refund = {
  id: 'refund',
  jobId: 'job',
  depositIds: ['deposit'],
  amountWei: 10n ** 16n,
  to: PAYER,
  holdReason: null,
  blockNumber: 1_000_000,
  state: 'due',
  recordedAt: new Date(0),
};

/** What came is known of to the wei, so that nothing else is left to do. */
const answers = (due: readonly Refund[], balanceWei = 0n): Answers => ({
  ...NOTHING_YET,
  balance: () => ({ balanceWei, blockNumber: 0 }),
  refunds: () => due,
  refundSums: () => NO_REFUNDS,
});

/** Looks at a wallet once. @returns what is remembered of it; undefined where it was not looked at */
function lookAt(block: number, before: DustChecks | null, due: readonly Refund[] = []): DustChecks | null | undefined {
  const { asked, session } = decided(ended(before), answers(due), { head: headAt(block) });
  return asked.includes('balance') ? session.execution.dustChecks : undefined;
}

const isOver = (block: number, before: DustChecks | null | undefined) => lookAt(block, before ?? null) !== undefined;

/** Looks at a wallet to which dust comes in every block. @returns heights, and what is remembered at the end */
function looks(blocks: number): { readonly heights: readonly number[]; readonly checks: DustChecks | null } {
  const heights: number[] = [];
  let checks: DustChecks | null = null;
  for (let block = 0; block < blocks; block += 1) {
    const after = lookAt(block, checks);
    if (after === undefined) continue;
    checks = after;
    heights.push(block);
  }
  return { heights, checks };
}

describe('checks of an ended wallet for dust (threats, law 3)', () => {
  it('come ever more rarely, up to ten minutes of blocks', () => {
    const { heights } = looks(4000);
    const pauses = heights.slice(1).map((height, index) => height - (heights[index] ?? 0));
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600]);
    expect([1, 2, 8, 9, 100].map((count) => pauseAfter({ count }))).toEqual([5, 10, 600, 600, 600]);
  });

  it('come no more rarely by checks that were worth it', () => {
    let checks: DustChecks | null | undefined = null;
    for (let block = 0; block < 20; block += 1) checks = lookAt(block, checks ?? null, [worthIt]);
    expect(isOver(23, checks)).toBe(false);
    expect(isOver(24, checks)).toBe(true);
  });

  it('are not waited for by money that is worth one', () => {
    expect(lookAt(101, { atBlock: 100, count: 9 }, [worthIt])).toBeDefined();
    expect(lookAt(101, { atBlock: 100, count: 9 }, [{ ...worthIt, amountWei: 1n }])).toBeUndefined();
  });

  it('begin anew with a wallet left alone for long', () => {
    const after = lookAt(6000, looks(4000).checks);
    expect(isOver(6004, after)).toBe(false);
    expect(isOver(6005, after)).toBe(true);
  });

  it('are forgotten after 1,200 blocks, and not a block before', () => {
    const pauseAt = (block: number) => {
      const after = lookAt(block, { atBlock: 0, count: 3 });
      return [5, 10, 20, 40].find((blocks) => isOver(block + blocks, after));
    };
    expect(pauseAt(1199)).toBe(40);
    expect(pauseAt(1200)).toBe(5);
  });

  it('are remembered while they are not yet old', () => {
    const before = { atBlock: 500, count: 3 };
    expect(isOver(519, before)).toBe(false);
    expect(isOver(520, before)).toBe(true);
  });

  it('of an old wallet are counted anew', () => {
    const after = lookAt(1260, { atBlock: 10, count: 3 });
    expect(isOver(1264, after)).toBe(false);
    expect(isOver(1265, after)).toBe(true);
  });

  it('come once at a block', () => {
    expect(isOver(100, lookAt(100, null))).toBe(false);
  });

  it('come again where the chain went back below the last', () => {
    expect(isOver(99, lookAt(100, null))).toBe(true);
  });
});

describe('money that came after the end (design § 4)', () => {
  it('waits where its refund arrived during the deposit query', () => {
    const refundSums = ({ isReread }: { isReread?: true }) => ({ ...NO_REFUNDS, due: isReread ? 9n : 0n });
    const tick = decided(ended(), { ...answers([], 9n), depositsKnown: () => true, refundSums }, { head: headAt(100) });
    expect(ofKind(tick, 'reportSurplus')).toEqual([]);
    expect(ofKind(tick, 'clearFact')).toEqual([]);
  });

  const came = (isKnown: boolean) =>
    decided(ended(), { ...answers([], 9n), depositsKnown: () => isKnown }, { head: headAt(100) });

  it('is booked, and reported once no deposit can explain it', () => {
    const tick = came(true);
    expect(tick.session.execution.totals.surplusWei).toBe(9n);
    expect(ofKind(tick, 'reportSurplus')).toMatchObject([
      {
        placeholder: {
          amountWei: 9n,
          state: 'reported',
          to: null,
          depositIds: [expect.stringMatching(/:surplus:100$/)],
        },
      },
    ]);
    expect(tick.session.facts).toEqual([]);
  });

  it('waits while a deposit may explain it', () => {
    const tick = came(false);
    expect(ofKind(tick, 'reportSurplus')).toEqual([]);
    expect(tick.session.facts).toEqual([settle]);
  });

  it('is settled where nothing came', () => {
    const tick = decided(ended(), answers([]), { head: headAt(100) });
    expect(tick.session.facts).toEqual([]);
    expect(ofKind(tick, 'clearFact')).toHaveLength(1);
  });
});
