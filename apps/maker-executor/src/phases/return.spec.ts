import { executionCompleted } from '@maker/contracts';
import { addAttempt, beginAttempts, DUST, EMPTY_TOTALS, type Execution } from '@maker/execution-records';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  type Decided,
  decided,
  headAt,
  NOTHING_YET,
  ofKind,
  PAYER,
  STARTED_AT_MS,
  sessionOf,
} from '../session/session.fixture.ts';
import { NEW_MEMORY, type Session } from '../session/session.ts';

const REST_WEI = 10n ** 17n;
/** More than the gas of a plain transfer at the fixture's base fee and a rise of it, wei. */
const TOO_LITTLE_WEI = 1_000_000_000n;

function returning(change: Partial<Execution> = {}, restWei = REST_WEI): Session {
  const totals = { ...EMPTY_TOTALS, depositWei: restWei };
  const ending = { kind: 'completed', message: 'the budget is spent' } as const;
  return sessionOf({ id: 'job', phase: 'return', totals, ending, ...change });
}

const shows = (balanceWei: bigint): Answers => ({
  ...NOTHING_YET,
  balance: () => ({ balanceWei, blockNumber: 100 }),
});

const at = (block: number) => ({ head: headAt(block) });

const endOf = (tick: Decided) => {
  const [end] = ofKind(tick, 'end');
  const { heldReason, phase, totals } = tick.session.execution;
  return { phase, heldReason, heldWei: totals.heldWei, event: end?.events?.[0]?.contract.type };
};

describe('money that no deposit explains at the end (design § 4)', () => {
  /** Runs a tick at which the balance is a little higher than before. */
  function tickAt(session: Session, block: number): Decided {
    const surplusWei = BigInt(block);
    return decided(session, shows(REST_WEI + surplusWei), at(block));
  }

  it('delays the return from its first block', () => {
    let { session } = tickAt(returning(), 10);
    for (const block of [11, 29]) {
      const tick = tickAt(session, block);
      expect(ofKind(tick, 'send')).toEqual([]);
      ({ session } = tick);
    }
    const sent = tickAt(session, 30);
    expect(ofKind(sent, 'send')).toHaveLength(1);
    expect(sent.session.execution.absorbedWei).toBe(30n);
  });

  it('delays the return again under the next owner', () => {
    const { session } = tickAt(returning(), 10);
    const handedOver = tickAt({ ...session, memory: NEW_MEMORY }, 30);
    expect(ofKind(handedOver, 'send')).toEqual([]);
    expect(ofKind(tickAt(handedOver.session, 49), 'send')).toEqual([]);
    expect(ofKind(tickAt(handedOver.session, 50), 'send')).toHaveLength(1);
  });

  it('does not delay a late return', () => {
    const session = returning({ attempts: beginAttempts(headAt(10).timestampMs) });
    expect(ofKind(tickAt(session, 69), 'send')).toEqual([]);
    expect(ofKind(tickAt(session, 70), 'send')).toHaveLength(1);
  });
});

describe('the return of the rest (design § 4)', () => {
  it('sends all remaining money to the return address', () => {
    const tick = decided(returning(), shows(REST_WEI), at(100));
    const [send] = ofKind(tick, 'send');
    const [transaction] = send?.transactions ?? [];
    expect(transaction).toMatchObject({ id: 'job/return/1', purpose: 'return', to: PAYER, gasLimit: 21_000 });
    const { valueWei = 0n, maxFeePerGasWei = 0n } = transaction ?? {};
    expect(valueWei + 21_000n * maxFeePerGasWei).toBe(REST_WEI);
    expect(tick.session.execution.attempts).toMatchObject({ count: 1 });
  });

  it('ends the job of an empty wallet', () => {
    const tick = decided(returning({}, 0n), shows(0n), at(100));
    expect(endOf(tick)).toEqual({
      phase: 'completed',
      heldReason: null,
      heldWei: 0n,
      event: executionCompleted.type,
    });
    expect(tick.session.execution.endedAt).toEqual(new Date(headAt(100).timestampMs));
    expect(tick.asked).toContain('ledgerAddsUp');
  });

  it('leaves dust, and holds nothing', () => {
    const tick = decided(returning({}, TOO_LITTLE_WEI), shows(TOO_LITTLE_WEI), at(100));
    expect(endOf(tick)).toMatchObject({ phase: 'completed', heldReason: null, heldWei: 0n });
    expect(ofKind(tick, 'send')).toEqual([]);
  });

  it('holds dust after a release, without an event', () => {
    const released = returning({ releasedAt: new Date(STARTED_AT_MS) }, TOO_LITTLE_WEI);
    const tick = decided(released, shows(TOO_LITTLE_WEI), at(100));
    expect(endOf(tick)).toEqual({
      phase: 'completed',
      heldReason: DUST,
      heldWei: TOO_LITTLE_WEI,
      event: undefined,
    });
  });

  it('leaves money below the gas of a contract', () => {
    const needsMuch = { ...shows(10n ** 13n), transferGas: () => ({ gasLimit: 1_000_000 }) };
    const tick = decided(returning({}, 10n ** 13n), needsMuch, at(100));
    expect(endOf(tick)).toMatchObject({ phase: 'completed', heldReason: null, heldWei: 0n });
  });

  it('holds all when no return address is known', () => {
    const tick = decided(returning({ returnAddress: null }), shows(REST_WEI), at(100));
    expect(endOf(tick)).toEqual({
      phase: 'completed',
      heldReason: 'no return address is known',
      heldWei: REST_WEI,
      event: executionCompleted.type,
    });
  });

  it('tries a refused return three times, then holds it', () => {
    const refuses: Answers = { ...shows(REST_WEI), transferGas: () => ({ refusal: 'refuses it' }) };
    const refusal = 'the return address takes no HYPE: it refuses it';
    let { session } = decided(returning(), refuses, at(100));
    expect(session.execution).toMatchObject({ phase: 'return', attempts: { count: 1, refusal } });
    expect(decided(session, refuses, at(102)).asked).not.toContain('transferGas');
    ({ session } = decided(session, refuses, at(103)));
    expect(session.execution.attempts).toMatchObject({ count: 2, refusal });
    ({ session } = decided(session, refuses, at(118)));
    expect(session.execution).toMatchObject({ phase: 'return', attempts: { count: 3, refusal } });
    const last = decided(session, refuses, at(133));
    expect(endOf(last)).toMatchObject({ phase: 'completed', heldReason: refusal, heldWei: REST_WEI });
  });

  it('holds a return that was reverted three times', () => {
    const begun = beginAttempts(headAt(90).timestampMs);
    const attempts = { ...addAttempt(addAttempt(addAttempt(begun, 0), 0), 0), nextAtMs: 0 };
    const tick = decided(returning({ attempts }), shows(REST_WEI), at(100));
    expect(endOf(tick)).toMatchObject({ heldReason: 'the return address reverted the return', heldWei: REST_WEI });
  });

  it('ends after ten minutes', () => {
    const session = returning({ attempts: beginAttempts(headAt(100).timestampMs) });
    const lagging: Answers = { ...NOTHING_YET, balance: () => undefined };
    expect(ofKind(decided(session, lagging, at(699)), 'end')).toEqual([]);
    expect(endOf(decided(session, lagging, at(700)))).toMatchObject({
      heldReason: 'the rest could not be returned in time',
      heldWei: REST_WEI,
    });
  });
});
