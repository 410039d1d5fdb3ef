import { type DustChecks, EMPTY_TOTALS, NO_REFUNDS, type Refund } from '@maker/execution-records';
import { describe, expect, it } from 'vitest';
import { type Answers, decided, headAt, NOTHING_YET, ofKind, PAYER, sessionOf } from '../session/session.fixture.ts';
import type { Session } from '../session/session.ts';
import { pauseAfter } from './ended.ts';

const settle = { jobId: 'job', kind: 'settle', version: '1' } as const;

/** Returns a session of an ended job that received money. */
function ended(dustChecks: DustChecks | null = null, surplusWei = 0n): Session {
  const totals = { ...EMPTY_TOTALS, surplusWei };
  return sessionOf({ id: 'job', phase: 'never_ran', totals, dustChecks }, { facts: [settle] });
}

/** A due refund of a block that the chain does not have yet, so that nothing is sent. */
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

/** Answers that explain the money to the wei, so that no other work is left. */
const answers = (due: readonly Refund[], balanceWei = 0n): Answers => ({
  ...NOTHING_YET,
  balance: () => ({ balanceWei, blockNumber: 0 }),
  refunds: () => due,
  refundSums: () => NO_REFUNDS,
});

/** Runs a tick of a wallet. @returns its stored checks; undefined if the tick checked nothing */
function checkAt(block: number, before: DustChecks | null, due: readonly Refund[] = []): DustChecks | null | undefined {
  const { asked, session } = decided(ended(before), answers(due), { head: headAt(block) });
  return asked.includes('balance') ? session.execution.dustChecks : undefined;
}

const isChecked = (block: number, before: DustChecks | null | undefined) =>
  checkAt(block, before ?? null) !== undefined;

/** Runs ticks of a wallet that receives dust in every block. @returns heights of checks, and the stored checks at the end */
function checksOf(blocks: number): { readonly heights: readonly number[]; readonly checks: DustChecks | null } {
  const heights: number[] = [];
  let checks: DustChecks | null = null;
  for (let block = 0; block < blocks; block += 1) {
    const after = checkAt(block, checks);
    if (after === undefined) continue;
    checks = after;
    heights.push(block);
  }
  return { heights, checks };
}

describe('checks of an ended wallet for dust (threats, law 3)', () => {
  it('come ever more rarely, up to ten minutes of blocks', () => {
    const { heights } = checksOf(4000);
    const pauses = heights.slice(1).map((height, index) => height - (heights[index] ?? 0));
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600]);
    expect([1, 2, 8, 9, 100].map((count) => pauseAfter({ count }))).toEqual([5, 10, 600, 600, 600]);
  });

  it('come no more rarely after checks of real money', () => {
    let checks: DustChecks | null | undefined = null;
    for (let block = 0; block < 20; block += 1) checks = checkAt(block, checks ?? null, [worthIt]);
    expect(isChecked(23, checks)).toBe(false);
    expect(isChecked(24, checks)).toBe(true);
  });

  it('do not delay checks of real money', () => {
    expect(checkAt(101, { atBlock: 100, count: 9 }, [worthIt])).toBeDefined();
    expect(checkAt(101, { atBlock: 100, count: 9 }, [{ ...worthIt, amountWei: 1n }])).toBeUndefined();
  });

  it('start again for a wallet left alone for long', () => {
    const after = checkAt(6000, checksOf(4000).checks);
    expect(isChecked(6004, after)).toBe(false);
    expect(isChecked(6005, after)).toBe(true);
  });

  it('are forgotten after exactly 1,200 blocks', () => {
    const pauseAt = (block: number) => {
      const after = checkAt(block, { atBlock: 0, count: 3 });
      return [5, 10, 20, 40].find((blocks) => isChecked(block + blocks, after));
    };
    expect(pauseAt(1199)).toBe(40);
    expect(pauseAt(1200)).toBe(5);
  });

  it('are remembered while they are not yet old', () => {
    const before = { atBlock: 500, count: 3 };
    expect(isChecked(519, before)).toBe(false);
    expect(isChecked(520, before)).toBe(true);
  });

  it('are counted again for an old wallet', () => {
    const after = checkAt(1260, { atBlock: 10, count: 3 });
    expect(isChecked(1264, after)).toBe(false);
    expect(isChecked(1265, after)).toBe(true);
  });

  it('come once at a block', () => {
    expect(isChecked(100, checkAt(100, null))).toBe(false);
  });

  it('come again below the last check’s block', () => {
    expect(isChecked(99, checkAt(100, null))).toBe(true);
  });
});

describe('money that came after the end (design § 4)', () => {
  it('waits when its refund arrived during the deposit query', () => {
    const depositsKnown = () => ({ ...NO_REFUNDS, due: 9n });
    const tick = decided(ended(), { ...answers([], 9n), depositsKnown }, { head: headAt(100) });
    expect(ofKind(tick, 'reportSurplus')).toEqual([]);
    expect(ofKind(tick, 'clearFact')).toEqual([]);
  });

  const came = (isKnown: boolean) =>
    decided(
      ended(),
      { ...answers([], 9n), depositsKnown: () => (isKnown ? NO_REFUNDS : undefined) },
      { head: headAt(100) },
    );

  it('is reported once no deposit can explain it', () => {
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

  it('settles without any money', () => {
    const tick = decided(ended(), answers([]), { head: headAt(100) });
    expect(tick.session.facts).toEqual([]);
    expect(ofKind(tick, 'clearFact')).toHaveLength(1);
  });
});
