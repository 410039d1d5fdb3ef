import { executionPaused, executionResumed, surplusFound } from '@maker/contracts';
import {
  type Execution,
  type FinalTransaction,
  ledgerEntry,
  type Refund,
  type TransactionRecord,
} from '@maker/execution-records';
import type { PauseReason } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { bookTransactions } from '../tracking/book-transactions.ts';
import { type Decision, jobEvent } from './decision.ts';
import { headAt, inclusionOf, sessionOf, ticked, transactionOf } from './session.fixture.ts';
import type { Tick } from './tick.ts';
import { isEmpty, writesOf } from './tick-writes.ts';

const NOW = new Date(headAt(100).timestampMs);
const pausedFor = (reason: PauseReason): Execution['paused'] => ({ reason, since: new Date(7) });

/** Returns the writes of a tick of an execution. @param paused its pause before the tick */
function writes(paused: Execution['paused'], run: (tick: Tick) => void) {
  const session = sessionOf({ id: 'job', phase: 'trading', paused });
  const { decisions } = ticked(session, {}, { head: headAt(100) }, run);
  return writesOf(session.execution, decisions, NOW);
}

const typesOf = ({ events }: Pick<ReturnType<typeof writes>, 'events'>) =>
  events.map(({ contract, data }) => [contract, data.reason]);

describe('a tick that changes nothing', () => {
  it('writes nothing without a decision', () => {
    expect(isEmpty(writes(null, () => undefined))).toBe(true);
  });

  it('writes nothing for a change of memory', () => {
    const nothing = writes(null, (tick) => {
      tick.note('remembered', {}, { checkedAtBlock: 100 });
      tick.wait('no order is due', { nextQuoteAtMs: 7 });
    });
    expect(isEmpty(nothing)).toBe(true);
    expect(nothing.change).toEqual({});
  });

  it('writes nothing to send bytes again', () => {
    const resend = { kind: 'resend', reason: 'in no block yet', transactions: [transactionOf('fee')] } as const;
    expect(isEmpty(writes(null, (tick) => tick.add(resend)))).toBe(true);
  });
});

describe('pauses of one tick', () => {
  it('are not written for an unchanged reason', () => {
    const before = pausedFor('price_band');
    const unchanged = writes(before, (tick) => tick.pause('price_band'));
    expect(isEmpty(unchanged)).toBe(true);
  });

  it('are not written when one ends and begins again', () => {
    const unchanged = writes(pausedFor('price_band'), (tick) => {
      tick.resume();
      tick.pause('price_band');
    });
    expect(isEmpty(unchanged)).toBe(true);
    expect(unchanged.change).toEqual({});
    expect(unchanged.pause).toEqual({ endsAt: null, begins: null });
    expect(unchanged.events).toEqual([]);
  });

  it('are not written when begun and ended together', () => {
    const none = writes(null, (tick) => {
      tick.pause('gas_guardrail');
      tick.resume();
    });
    expect(isEmpty(none)).toBe(true);
  });

  it('end and begin for different reasons', () => {
    const begins = { reason: 'thin_liquidity', since: NOW };
    const changed = writes(pausedFor('price_band'), (tick) => tick.pause('thin_liquidity'));
    expect(changed.pause).toEqual({ endsAt: NOW, begins });
    expect(changed.change).toEqual({ paused: begins });
    expect(typesOf(changed)).toEqual([
      [executionResumed, 'price_band'],
      [executionPaused, 'thin_liquidity'],
    ]);
    expect(isEmpty(changed)).toBe(false);
  });

  it('begin', () => {
    const begun = writes(null, (tick) => tick.pause('gas_guardrail'));
    const begins = { reason: 'gas_guardrail', since: NOW };
    expect([begun.pause, begun.change]).toEqual([{ endsAt: null, begins }, { paused: begins }]);
    expect(typesOf(begun)).toEqual([[executionPaused, 'gas_guardrail']]);
  });

  it('end', () => {
    const over = writes(pausedFor('gas_guardrail'), (tick) => tick.resume());
    expect([over.pause, over.change]).toEqual([{ endsAt: NOW, begins: null }, { paused: null }]);
    expect(typesOf(over)).toEqual([[executionResumed, 'gas_guardrail']]);
  });

  it('use the last reason', () => {
    const last = writes(pausedFor('gas_guardrail'), (tick) => {
      tick.resume();
      tick.pause('price_band');
      tick.pause('thin_liquidity');
    });
    expect(last.pause.begins?.reason).toBe('thin_liquidity');
    expect(typesOf(last)).toEqual([
      [executionResumed, 'gas_guardrail'],
      [executionPaused, 'thin_liquidity'],
    ]);
  });
});

describe('transactions of one tick', () => {
  const final = (number: number): FinalTransaction => {
    const inclusion = inclusionOf({ hash: `0x${number}`, receivedTokens: 1n });
    return { transaction: transactionOf('order', { id: `job/order/${number}`, nonce: number }), inclusion };
  };
  const track = (
    found: readonly FinalTransaction[],
    finals: readonly FinalTransaction[],
    lost: readonly TransactionRecord[] = [],
  ): Decision => {
    const booking = bookTransactions(sessionOf().execution, finals, NOW);
    return { kind: 'track', reason: 'tracked', found, finals, lost, booking };
  };
  const decide = (...decisions: Decision[]) => writesOf(sessionOf().execution, decisions, NOW);
  const [one, two, three] = [final(1), final(2), final(3)] as const;

  it('are final when found deep enough', () => {
    const tracked = decide(track([one, two], [one]));
    expect([tracked.finalAtOnce, tracked.mined, tracked.finalIds]).toEqual([[one], [two], []]);
    expect(isEmpty(tracked)).toBe(false);
  });

  it('are final by id if mined before', () => {
    const tracked = decide(track([two], [two, three]));
    expect([tracked.finalAtOnce, tracked.mined, tracked.finalIds]).toEqual([[two], [], [three.transaction.id]]);
  });

  it('are lost or reopened when their block is gone', () => {
    const reopen: Decision = { kind: 'reopen', reason: 'left the chain', lost: [three] };
    const lost = decide(track([], [], [one.transaction]), reopen);
    expect([lost.lostIds, lost.reopenedIds]).toEqual([['job/order/1'], ['job/order/3']]);
    expect([lost.mined, lost.finalAtOnce, lost.finalIds]).toEqual([[], [], []]);
    expect(isEmpty(lost)).toBe(false);
  });
});

describe('everything else of one tick', () => {
  const fields = { jobId: 'job', amountWei: 1n, recordedAt: NOW };
  const entry = (source: string) => ledgerEntry(source, 'surplus', fields);
  const event = (depositId: string) =>
    jobEvent(surplusFound, { depositId, amountWei: '1', blockNumber: 1, blockAt: NOW.toISOString() });
  const settle = { jobId: 'job', kind: 'settle', version: '1' } as const;
  const placeholder = { id: 'deposit', state: 'reported' } as Refund;

  it('is merged, the later change over the earlier', () => {
    const merged = writes(null, (tick) => {
      tick.add({ kind: 'note', reason: 'a', entries: [entry('a')], events: [event('a')], change: { ordersSigned: 9 } });
      tick.note('b', { ordersSigned: 1, driftWei: 1n });
      tick.add({ kind: 'note', reason: 'c', entries: [entry('c')], events: [event('c')], change: { driftWei: 2n } });
      tick.add({ kind: 'clearFact', reason: 'd', fact: settle });
      tick.add({ kind: 'reportSurplus', reason: 'e', placeholder });
      tick.add({ kind: 'settleRefunds', reason: 'f', refunds: [placeholder], state: 'held', holdReason: 'dust' });
      tick.finish({ kind: 'end', reason: 'g', endedAt: NOW, newFacts: ['settle', 'recheck'] });
    });
    expect(merged).toMatchObject({
      change: { ordersSigned: 1, driftWei: 2n },
      entries: [{ id: 'a/surplus' }, { id: 'c/surplus' }],
      events: [{ data: { depositId: 'a' } }, { data: { depositId: 'c' } }],
      clearedFacts: [settle],
      newFacts: ['settle', 'recheck'],
      placeholders: [placeholder],
      refunds: [{ state: 'held', holdReason: 'dust' }],
      endedAt: NOW,
    });
  });

  it.each<[string, (tick: Tick) => void]>([
    ['an end', (tick) => tick.finish({ kind: 'end', reason: 'over', endedAt: NOW, newFacts: [] })],
    ['a fact that is handled', (tick) => tick.add({ kind: 'clearFact', reason: 'handled', fact: settle })],
    ['an entry', (tick) => tick.add({ kind: 'note', reason: 'booked', entries: [entry('a')] })],
    ['an event', (tick) => tick.add({ kind: 'note', reason: 'reported', events: [event('a')] })],
    ['a change', (tick) => tick.note('changed', { driftWei: 1n })],
    ['a report of surplus', (tick) => tick.add({ kind: 'reportSurplus', reason: 'reported', placeholder })],
  ])('is written for %s alone', (_, run) => {
    expect(isEmpty(writes(null, run))).toBe(false);
  });
});

it('decides nothing after a tick is over', () => {
  const { decisions } = ticked(sessionOf({ phase: 'trading' }), {}, { head: headAt(100) }, (tick) => {
    // As a caller that forgets that this ends the tick.
    const forgetful: { wait(reason: string): void } = tick;
    forgetful.wait('nothing is due');
    tick.add({ kind: 'send', reason: 'sent by mistake', transactions: [] });
  });
  expect(decisions.map(({ kind }) => kind)).toEqual(['wait']);
});
