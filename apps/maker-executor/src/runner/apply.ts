import type { BlockHead } from '@maker/chain';
import {
  type Attempt,
  assertTransition,
  currentAttempt,
  type Execution,
  type ExecutionChange,
  type LedgerEntry,
  type TransactionRecord,
} from '@maker/execution-records';
import { Outbox } from '@maker/messaging';
import { inTransaction, Leases } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import { Capacity } from '../capacity/capacity.ts';
import { MakerDatabase } from '../database.ts';
import type { Decision, DecisionOf } from '../session/decision.ts';
import type { Broadcast, Session } from '../session/session.ts';
import { openAfter } from '../session/tick.ts';
import { isEmpty, type TickWrites, writesOf } from '../session/tick-writes.ts';
import type { Claim } from '../session/view.ts';
import type { GasGrant } from '../wallet/gas-limiter.ts';
import { JobWalletSigner } from '../wallet/job-wallet-signer.ts';
import { Broadcaster } from './broadcaster.ts';

/** Transactions signed for a tick, and its decisions without those that could not be signed. */
interface Signed {
  readonly decisions: readonly Decision[];
  readonly records: readonly TransactionRecord[];
  readonly replaced: readonly { readonly id: string; readonly attempt: Attempt }[];
  /** Why a decision could not be signed and was left out. */
  readonly failure?: unknown;
}

/** The session after a tick, and the saved transactions to broadcast. */
export interface Applied {
  readonly session: Session;
  readonly decisions: readonly Decision[];
  readonly outgoing: readonly TransactionRecord[];
  readonly failure?: unknown;
}

/**
 * Carries out a tick's decisions: claims, signs, writes everything in one database transaction that checks the wallet's lease, then
 * broadcasts the saved transactions. No other code claims, writes, signs or broadcasts for an execution. Source: design § 5.
 */
@Injectable()
export class Apply {
  constructor(
    private readonly database: MakerDatabase,
    private readonly leases: Leases,
    private readonly outbox: Outbox,
    private readonly signer: JobWalletSigner,
    private readonly broadcaster: Broadcaster,
    private readonly capacity: Capacity,
  ) {}

  /** Makes a tick's claim. @param grants receives claimed gas, to release once the tick is saved */
  async claim({ execution }: Session, claim: Claim, head: BlockHead, grants: GasGrant[]): Promise<unknown> {
    if (claim.kind === 'capacity') return this.capacity.book(execution.id);
    const { minuteGas } = execution.plan;
    if (minuteGas === undefined) return claim.count;
    const grant = await this.database.gasLimiter.claim(head, minuteGas, claim);
    grants.push(grant);
    return grant.count;
  }

  /**
   * Signs and saves. It leaves out a decision that the signing policy refuses, and writes nothing of it.
   * @param nextNonce reads the nonce from the chain, if the database has no transaction of the wallet
   * @throws LeaseLostError, StaleExecutionError: nothing was written
   */
  async save(
    session: Session,
    decided: readonly Decision[],
    head: BlockHead,
    nextNonce: () => Promise<number>,
  ): Promise<Applied> {
    const signed = await this.sign(session, decided, nextNonce);
    const { decisions, records, replaced, failure } = signed;
    const writes = writesOf(session.execution, decisions, new Date(head.timestampMs));
    const open = decisions.reduce(openAfter, session.open).map((one) => withReplacement(one, replaced));
    const isNothing = isEmpty(writes) && records.length === 0 && replaced.length === 0;
    const execution = isNothing
      ? session.execution
      : await inTransaction(this.database.connection, (transaction) =>
          this.write(session, writes, signed, transaction),
        );
    return {
      session: {
        ...session,
        execution,
        open: [...open, ...records],
        highestNonce: records.at(-1)?.nonce ?? session.highestNonce,
        facts: [
          ...session.facts.filter((fact) => !writes.clearedFacts.includes(fact)),
          ...writes.newFacts.map((kind) => ({ jobId: execution.id, kind, version: '' })),
        ],
        memory: Object.assign({}, session.memory, ...decisions.map(({ memory }) => memory)),
      },
      decisions,
      outgoing: [...outgoingOf(decisions, open), ...records],
      ...(failure !== undefined && { failure }),
    };
  }

  /** Broadcasts what is saved. @returns the session with the nodes' answers */
  async send(session: Session, outgoing: readonly TransactionRecord[], head: BlockHead): Promise<Session> {
    if (outgoing.length === 0) return session;
    const { origin } = session.execution;
    const answers = await this.broadcaster.broadcast(outgoing, origin, session.memory.broadcasts);
    const broadcasts: Record<string, Broadcast> = { ...session.memory.broadcasts };
    const accepted: string[] = [];
    for (const [index, answer] of answers.entries()) {
      const transaction = outgoing[index];
      if (!transaction) break;
      const { id, state } = transaction;
      // If no node answered, or the nonce is used, the last broadcast still counts: the receipt decides.
      const isSent = answer !== 'unavailable' && answer !== 'nonce_used';
      const atBlock = isSent ? head.number : (broadcasts[id]?.atBlock ?? null);
      broadcasts[id] = { hash: currentAttempt(transaction).hash, answer, atBlock };
      if ((answer === 'accepted' || answer === 'known') && state === 'signed') accepted.push(id);
    }
    this.broadcaster.note(accepted);
    const open = session.open.map((one) => (accepted.includes(one.id) ? { ...one, state: 'broadcast' as const } : one));
    return { ...session, open, memory: { ...session.memory, broadcasts } };
  }

  /** Address of the seed's wallet at an index. */
  seedAddress(walletIndex: number): Address {
    return this.signer.addressOf(walletIndex);
  }

  /** Creates an execution, in the transaction of the event that requires it. */
  async begin(execution: Execution, entries: readonly LedgerEntry[], session: ClientSession): Promise<void> {
    await this.database.executions.insert(execution, session);
    await this.database.ledger.append(entries, session);
  }

  /**
   * Writes an operator's signed command to an execution. A fact makes its owner read the execution again.
   * @param before the execution by which the command was decided @throws StaleExecutionError: nothing was written
   */
  async command(
    before: Execution,
    change: ExecutionChange,
    entries: readonly LedgerEntry[],
    session: ClientSession,
  ): Promise<void> {
    const { executions, ledger, facts } = this.database;
    if (change.phase !== undefined) assertTransition(before.phase, change.phase);
    await executions.change(before, change, session);
    await ledger.append(entries, session);
    for (const kind of ['reload', 'settle'] as const) await facts.record(before.id, kind, session);
  }

  private async sign(
    session: Session,
    decided: readonly Decision[],
    nextNonce: () => Promise<number>,
  ): Promise<Signed> {
    const execution = executionAfter(session.execution, decided);
    const decisions: Decision[] = [];
    const records: TransactionRecord[] = [];
    const replaced: { id: string; attempt: Attempt }[] = [];
    let failure: unknown;
    for (const decision of decided) {
      try {
        if (decision.kind === 'send') {
          const { highestNonce } = session;
          const first = highestNonce === undefined ? await nextNonce() : highestNonce + 1;
          records.push(...(await this.signAll(execution, decision, first + records.length)));
        } else if (decision.kind === 'replace') {
          const { transaction, replacement } = decision;
          const attempt = await this.signer.signReplacement(execution, transaction, replacement);
          replaced.push({ id: transaction.id, attempt });
        }
        decisions.push(decision);
      } catch (error) {
        failure = error;
      }
    }
    return { decisions, records, replaced, failure };
  }

  private async signAll(
    execution: Execution,
    { transactions }: DecisionOf<'send'>,
    firstNonce: number,
  ): Promise<readonly TransactionRecord[]> {
    const records: TransactionRecord[] = [];
    for (const plan of transactions) records.push(await this.signer.sign(execution, plan, firstNonce + records.length));
    return records;
  }

  /** @returns the execution after the writes */
  private async write(
    { lease, execution }: Session,
    writes: TickWrites,
    { records, replaced }: Signed,
    session: ClientSession,
  ): Promise<Execution> {
    const { transactions, ledger, orders, refunds, pauses, facts, executions } = this.database;
    const { id: jobId, revision } = execution;
    await this.leases.assertHeld(lease, session);
    if (writes.mined.length > 0) await transactions.include(writes.mined, 'mined', session);
    if (writes.finalAtOnce.length > 0) await transactions.include(writes.finalAtOnce, 'final', session);
    if (writes.finalIds.length > 0) await transactions.enter(writes.finalIds, 'final', session);
    if (writes.lostIds.length > 0) await transactions.enter(writes.lostIds, 'broadcast', session);
    if (writes.reopenedIds.length > 0) await transactions.reopen(writes.reopenedIds, session);
    for (const { id, attempt } of replaced) await transactions.addAttempt(id, attempt, session);
    await transactions.insert(records, session);
    await orders.insert(writes.orders, session);
    await ledger.append(writes.entries, session);
    for (const { refunds: some, state, holdReason } of writes.refunds)
      await refunds.enter(some, state, session, holdReason === undefined ? {} : { holdReason });
    for (const placeholder of writes.placeholders) await refunds.insert(placeholder, session);
    const pauseEndsAt = writes.endedAt ?? writes.pause.endsAt;
    if (pauseEndsAt) await pauses.end(jobId, pauseEndsAt, session);
    if (writes.pause.begins)
      await pauses.begin({ id: `${jobId}/pause/${revision}`, jobId, ...writes.pause.begins }, session);
    await facts.clear(writes.clearedFacts, session);
    for (const kind of writes.newFacts) await facts.record(jobId, kind, session);
    const events = writes.events.map(({ contract, data }) => this.outbox.prepare(contract, { jobId, data }));
    await this.outbox.insert(events, session);
    return executions.change(execution, writes.change, session);
  }
}

function withReplacement(transaction: TransactionRecord, replaced: Signed['replaced']): TransactionRecord {
  const replacement = replaced.find(({ id }) => id === transaction.id);
  return replacement ? { ...transaction, attempts: [...transaction.attempts, replacement.attempt] } : transaction;
}

/** Returns the open transactions to send again, by nonce. */
function outgoingOf(decisions: readonly Decision[], open: readonly TransactionRecord[]): readonly TransactionRecord[] {
  const ids = new Set(
    decisions.flatMap((decision) => {
      if (decision.kind === 'resend') return decision.transactions.map(({ id }) => id);
      return decision.kind === 'replace' ? [decision.transaction.id] : [];
    }),
  );
  return open.filter(({ id }) => ids.has(id));
}

function executionAfter(execution: Execution, decisions: readonly Decision[]): Execution {
  return Object.assign({}, execution, ...decisions.map(({ change }) => change));
}
