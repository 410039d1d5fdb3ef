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
import type { Question } from './view.ts';

/** An event of the outbox, before its id and time are known. */
export interface JobEvent {
  readonly contract: EventContract<string, z.ZodType<Record<string, unknown>>>;
  readonly data: Record<string, unknown>;
}

/** Makes an event; its data is checked against the contract by the compiler here, and by zod when it is recorded. */
export function jobEvent<Type extends string, Data extends z.ZodType<Record<string, unknown>>>(
  contract: EventContract<Type, Data>,
  data: z.input<Data>,
): JobEvent {
  return { contract, data: data as Record<string, unknown> };
}

/** A line of the log, written once the decision is. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** What any decision may write and say. */
export interface Effects {
  /** Why, in a few words, for whoever reads a history of decisions. */
  readonly reason: string;
  /** Changes the execution's row. */
  readonly change?: ExecutionChange;
  /** Changes what this owner alone remembers: writes nothing. */
  readonly memory?: Partial<Memory>;
  /** Entries of the ledger; `change` holds the totals after them. */
  readonly entries?: readonly LedgerEntry[];
  readonly events?: readonly JobEvent[];
  readonly log?: LogLine;
}

/** Money that was found to differ from the ledger. */
export type Drift = 'missing' | 'surplus';

/** One decision of a tick. A closed union: `apply` carries out each kind, and nothing else writes, signs or sends. */
export type Decision = Effects &
  (
    | { readonly kind: 'ask'; readonly question: Question }
    /** Nothing more is decided at this block. */
    | { readonly kind: 'wait' }
    | { readonly kind: 'note'; readonly drift?: Drift; readonly feeRefused?: true }
    | { readonly kind: 'clearFact'; readonly fact: Fact }
    | {
        readonly kind: 'track';
        /** In blocks since this tick. */
        readonly found: readonly FinalTransaction[];
        /** Booked by this decision, by nonce. */
        readonly finals: readonly FinalTransaction[];
        /** Their block was reorganised away before they were final. */
        readonly lost: readonly TransactionRecord[];
        readonly booking: Booking;
      }
    /** Final transactions have left the chain: they are open again. */
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
    /** Money that no deposit explains stands as a refund of its own until the job service answers. */
    | { readonly kind: 'reportSurplus'; readonly placeholder: Refund }
    | {
        readonly kind: 'end';
        readonly endedAt: Date;
        /** What is left to do for the wallet after the end. */
        readonly tells: readonly FactKind[];
      }
  );

/** A decision of one kind. */
export type DecisionOf<Kind extends Decision['kind']> = Extract<Decision, { readonly kind: Kind }>;
