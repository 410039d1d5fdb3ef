import type { BlockHead } from '@maker/chain';
import {
  assertTransition,
  type Execution,
  type ExecutionChange,
  type Fact,
  type FactKind,
  type FinalTransaction,
  factOf,
  type LedgerEntry,
  type LedgerKind,
  ledgerEntry,
  type RefundSums,
  sumRefunds,
  type TransactionPurpose,
  type TransactionRecord,
} from '@maker/execution-records';
import type { PauseReason } from '@maker/rules';
import type { Address } from 'viem';
import type { Decision, DecisionOf } from './decision.ts';
import type { Memory, Session } from './session.ts';
import type { Claims, QuestionKind, Questions, TickRules, View } from './view.ts';

/** Thrown to end a tick, so that nothing can be decided after it; never leaves `decide`. Not an `Error`, whose stack is expensive. */
export class TickOver {}

/**
 * One round of decisions about one session at one block. The next decision sees the execution, the open transactions and the
 * memory after the one before. `apply` then signs, writes and sends.
 */
export class Tick {
  readonly decisions: Decision[] = [];
  execution: Execution;
  open: readonly TransactionRecord[];
  memory: Memory;

  constructor(
    readonly session: Session,
    readonly view: View,
    readonly rules: TickRules,
  ) {
    this.execution = session.execution;
    this.open = session.open;
    this.memory = session.memory;
  }

  get head(): BlockHead {
    return this.view.head;
  }

  /** Chain time of the head, ms. */
  get nowMs(): number {
    return this.view.head.timestampMs;
  }

  /** Our clock, for the time of records. */
  get recordedAt(): Date {
    return new Date(this.view.nowMs);
  }

  ask<Kind extends QuestionKind>(kind: Kind, arguments_: Questions[Kind][0]): Questions[Kind][1] {
    return this.view.ask(kind, arguments_);
  }

  /** Transactions ever signed for some purposes, with the inclusions that this tick found. */
  signed(purposes: readonly TransactionPurpose[], refundId?: string): readonly TransactionRecord[] {
    const stored = this.ask('signed', { purposes, ...(refundId !== undefined && { refundId }) });
    const tracked = this.decisions.filter((decision) => decision.kind === 'track');
    const found = tracked.flatMap(({ found: now, finals }) => [...now, ...finals]);
    const inclusions = new Map(found.map(({ transaction, inclusion }) => [transaction.id, inclusion]));
    return stored.map((transaction) => {
      const inclusion = inclusions.get(transaction.id);
      return inclusion ? { ...transaction, inclusion } : transaction;
    });
  }

  /** Sums of the job's refunds after this tick's settlements. @param exceptDueTo leaves out refunds due to this address */
  refundSums(exceptDueTo: Address | null = null): RefundSums {
    let sums = this.ask('refundSums', { exceptDueTo });
    for (const decision of this.decisions) {
      if (decision.kind !== 'settleRefunds') continue;
      for (const { state, amountWei } of decision.refunds) {
        sums = sumRefunds([{ state, amountWei: -amountWei }], sums);
        sums = sumRefunds([{ state: decision.state, amountWei }], sums);
      }
    }
    return sums;
  }

  fact(kind: FactKind): Fact | undefined {
    const fact = factOf(this.session.facts, kind);
    const isCleared = this.decisions.some((decision) => decision.kind === 'clearFact' && decision.fact === fact);
    return isCleared ? undefined : fact;
  }

  /** Returns an entry of the ledger at the head. @param source id of the booking, unique in a job */
  entry(source: string, kind: LedgerKind, amountWei: bigint, blockNumber = this.head.number): LedgerEntry {
    return ledgerEntry(source, kind, { jobId: this.execution.id, amountWei, blockNumber, recordedAt: this.recordedAt });
  }

  /** Claims before it signs. `apply` makes the claim, then the tick is decided again with its result. */
  claim<Kind extends keyof Claims>(kind: Kind, arguments_: Claims[Kind][0]): Claims[Kind][1] {
    return this.view.ask(kind, arguments_);
  }

  add(decision: Exclude<Decision, DecisionOf<'wait' | 'end'>>): void {
    this.record(decision);
  }

  /** Ends the tick with its last decision. */
  finish(decision: DecisionOf<'wait' | 'end'>): never {
    this.record(decision);
    throw new TickOver();
  }

  private record(decision: Decision): void {
    const { phase } = this.execution;
    if (decision.change?.phase !== undefined) assertTransition(phase, decision.change.phase);
    this.decisions.push(decision);
    this.execution = { ...this.execution, ...decision.change };
    this.memory = { ...this.memory, ...decision.memory };
    this.open = openAfter(this.open, decision);
  }

  /** Ends the tick. */
  wait(reason: string, memory: Partial<Memory> = {}): never {
    this.finish({ kind: 'wait', reason, memory });
  }

  /** Changes the row or the memory; the tick continues. */
  note(reason: string, change: ExecutionChange, memory: Partial<Memory> = {}): void {
    this.add({ kind: 'note', reason, change, memory });
  }

  /** Pauses for a reason; a pause for the same reason continues. */
  pause(pause: PauseReason): void {
    if (this.execution.paused?.reason === pause) return;
    const paused = { reason: pause, since: new Date(this.nowMs) };
    this.add({ kind: 'pause', reason: `pause: ${pause}`, pause, change: { paused } });
  }

  /** Ends the pause, if there is one. */
  resume(): void {
    if (this.execution.paused)
      this.add({ kind: 'resume', reason: 'the reason to wait is gone', change: { paused: null } });
  }
}

/** Returns the open transactions after a decision, by nonce, without those that it signs. */
export function openAfter(open: readonly TransactionRecord[], decision: Decision): readonly TransactionRecord[] {
  if (decision.kind === 'track') {
    const found = new Map(decision.found.map(({ transaction, inclusion }) => [transaction.id, inclusion]));
    const finals = new Set(decision.finals.map(({ transaction }) => transaction.id));
    const lost = new Set(decision.lost.map(({ id }) => id));
    return open
      .filter(({ id }) => !finals.has(id))
      .map((transaction): TransactionRecord => {
        const inclusion = found.get(transaction.id);
        if (inclusion) return { ...transaction, state: 'mined', inclusion };
        return lost.has(transaction.id) ? { ...transaction, state: 'broadcast', inclusion: null } : transaction;
      });
  }
  if (decision.kind === 'reopen')
    return [...open, ...decision.lost.map(reopened)].sort((one, other) => one.nonce - other.nonce);
  return open;
}

function reopened({ transaction }: FinalTransaction): TransactionRecord {
  return { ...transaction, state: 'broadcast', inclusion: null, reversals: transaction.reversals + 1 };
}
