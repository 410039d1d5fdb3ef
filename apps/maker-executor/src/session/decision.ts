import type { EventContract } from '@maker/contracts';
import type {
  ActivePhase,
  ExecutionChange,
  Fact,
  FactKind,
  FinalTransaction,
  LedgerEntry,
  Order,
  PlannedTransaction,
  Refund,
  RefundState,
  TransactionRecord,
} from '@maker/execution-records';
import type { PauseReason } from '@maker/rules';
import type { z } from 'zod';
import type { Booking } from '../tracking/book-transactions.ts';
import type { Replacement } from '../wallet/replacement.ts';
import type { Memory } from './session.ts';
import type { Claim, Question } from './view.ts';

/** An event of the outbox, before its id and time are known. */
export interface JobEvent {
  readonly contract: EventContract<string, z.ZodType<Record<string, unknown>>>;
  readonly data: Record<string, unknown>;
}

/** Returns an event. The compiler checks its data against the contract here, and zod when it is recorded. */
export function jobEvent<Type extends string, Data extends z.ZodType<Record<string, unknown>>>(
  contract: EventContract<Type, Data>,
  data: z.input<Data>,
): JobEvent {
  return { contract, data: data as Record<string, unknown> };
}

/** A line of the log, written after the decision is saved. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Effects that any decision may have. */
export interface Effects {
  /** Reason in a few words, for readers of a history of decisions. */
  readonly reason: string;
  /** Changes the execution's row. */
  readonly change?: ExecutionChange;
  /** Changes the owner's memory only: writes nothing. */
  readonly memory?: Partial<Memory>;
  /** Entries of the ledger; `change` has the totals after them. */
  readonly entries?: readonly LedgerEntry[];
  readonly events?: readonly JobEvent[];
  readonly log?: LogLine;
}

/** Direction in which the chain's balance differs from the ledger. */
export type Drift = 'missing' | 'surplus';

/** One decision of a tick. A closed union: `apply` carries out each kind, and nothing else writes, signs or sends. */
export type Decision = Effects &
  (
    | { readonly kind: 'ask'; readonly question: Question | Claim }
    /** Ends the decisions at this block. */
    | { readonly kind: 'wait' }
    | { readonly kind: 'note'; readonly drift?: Drift; readonly feeRefused?: true }
    | { readonly kind: 'clearFact'; readonly fact: Fact }
    | {
        readonly kind: 'track';
        /** Found in blocks by this tick. */
        readonly found: readonly FinalTransaction[];
        /** Booked by this decision, by nonce. */
        readonly finals: readonly FinalTransaction[];
        /** A reorganisation removed their block before they were final. */
        readonly lost: readonly TransactionRecord[];
        readonly booking: Booking;
      }
    /** Opens final transactions again that have left the chain. */
    | { readonly kind: 'reopen'; readonly lost: readonly FinalTransaction[] }
    | { readonly kind: 'resend'; readonly transactions: readonly TransactionRecord[] }
    | { readonly kind: 'replace'; readonly transaction: TransactionRecord; readonly replacement: Replacement }
    | { readonly kind: 'pause'; readonly pause: PauseReason }
    | { readonly kind: 'resume' }
    | { readonly kind: 'enterPhase'; readonly phase: ActivePhase }
    | {
        readonly kind: 'send';
        readonly transactions: readonly PlannedTransaction[];
        /** The orders that these transactions fill. */
        readonly orders?: readonly Order[];
      }
    | {
        readonly kind: 'settleRefunds';
        readonly refunds: readonly Refund[];
        readonly state: RefundState;
        readonly holdReason?: string;
      }
    /** Stores money that no deposit explains as a placeholder refund until the job service answers. */
    | { readonly kind: 'reportSurplus'; readonly placeholder: Refund }
    | {
        readonly kind: 'end';
        readonly endedAt: Date;
        /** Facts that keep the wallet's owner at work after the end. */
        readonly newFacts: readonly FactKind[];
      }
  );

/** A decision of one kind. */
export type DecisionOf<Kind extends Decision['kind']> = Extract<Decision, { readonly kind: Kind }>;
