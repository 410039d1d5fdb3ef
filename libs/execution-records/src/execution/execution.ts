import type { PauseReason, Purchases } from '@maker/rules';
import type { Origin } from '@maker/service-kit';
import type { Address, Hash } from 'viem';
import type { LedgerTotals } from '../ledger/ledger-entry.ts';
import type { Attempts } from './attempts.ts';
import type { ExecutionPlan } from './execution-plan.ts';

/** Phases in which an execution has work to do, in their order. */
export const ACTIVE_PHASES = ['fee', 'trading', 'delivery', 'return'] as const;

/** Phase of an execution that has work to do. */
export type ActivePhase = (typeof ACTIVE_PHASES)[number];

/**
 * The course of an execution: `fee` → `trading` → `delivery` → `return` → `completed` or `failed`; a refused one
 * (its wallet is not ours) never begins. `never_ran` is that of a job that was not paid in time: it exists only to give
 * back what came. An operator who releases held money takes an ended one back to `delivery`.
 */
export const EXECUTION_PHASES = [...ACTIVE_PHASES, 'completed', 'failed', 'refused', 'never_ran'] as const;

export type ExecutionPhase = (typeof EXECUTION_PHASES)[number];

/** Why trading ended; decided once, when the execution leaves `trading`. */
export interface ExecutionEnding {
  readonly kind: 'completed' | 'liquidity' | 'technical' | 'cancelled';
  /** For the operator and the job's timeline. */
  readonly message: string;
  /** By the chain's clock. Absent where trading never began. */
  readonly at?: Date;
}

/** The refund that is being sent; the signing policy holds the transfer to it. */
export interface Refunding {
  readonly id: string;
  readonly to: Address;
  /** What a transfer and its gas may take from the wallet together, wei: what came, less the gas of attempts that failed. */
  readonly amountWei: bigint;
  readonly attempts: Attempts;
}

/** A plain transfer to a job's wallet that names its sender. */
export interface TransferClaim {
  readonly transactionHash: Hash;
  /** Wei. */
  readonly amountWei: bigint;
}

/** Who paid for a job as others say: no recipient before the chain proves it. Source: docs/adr/0075. */
export interface PayerClaim {
  readonly payer: Address;
  readonly transfers: readonly TransferClaim[];
  readonly isProven: boolean;
}

/** Checks of an ended wallet that found only dust, by which the next one is put off. */
export interface DustChecks {
  readonly count: number;
  readonly atBlock: number;
}

/** What a pool would have given for parts of the budget, and for all of it, in one swap before the first order. */
export interface StartPool {
  readonly exchange: string;
  readonly samples: readonly { readonly inWei: bigint; readonly outTokens: bigint }[];
}

/** What the maker does for one job: the only record of it, changed only under the wallet's lease. */
export interface Execution {
  /** The job's id: there is at most one execution per job. */
  readonly id: string;
  /** The request that created the job, and the payment that set it off: what is done for it is logged under them. */
  readonly origin?: Origin;
  readonly phase: ExecutionPhase;
  readonly walletAddress: Address;
  readonly walletIndex: number;
  readonly tokenAddress: Address;
  readonly token: { readonly symbol: string; readonly decimals: number } | null;
  readonly returnAddress: Address | null;
  /** Present where nobody named a return address and the payer is to be it. */
  readonly payerClaim?: PayerClaim;
  /** What a proof of the payer's stop secret is checked by; absent where the job never was active. Source: docs/adr/0120. */
  readonly stopCommitments?: readonly string[];
  /** Counted deposit and its division, wei. They never change. Source: rules, `splitDeposit`. */
  readonly depositWei: bigint;
  readonly feeWei: bigint;
  readonly orderBudgetWei: bigint;
  /** Orders of standard size that the budget makes; merged ones count less. */
  readonly plannedOrders: number;
  readonly plan: ExecutionPlan;
  /** Chain time at which the next order is due, ms; null before trading. */
  readonly nextOrderAtMs: number | null;
  /** Since when by the chain's clock. */
  readonly paused: { readonly reason: PauseReason; readonly since: Date } | null;
  /** Its payer or an operator cancelled the job: no further order is placed. */
  readonly cancelled: boolean;
  readonly refunding: Refunding | null;
  /** Attempts of the delivery, or of the return of the rest; null before the first, and in other phases. */
  readonly attempts: Attempts | null;
  /** Height at which money last came that the ledger did not expect; null before the first. */
  readonly surplusAtBlock: number | null;
  /** Part of the surplus that no refund claimed and that went with the rest, wei. */
  readonly absorbedWei: bigint;
  /** When an operator last released what was held; null before. */
  readonly releasedAt: Date | null;
  /** Who sends the gas of a release to a wallet that has none; null where nobody was named. */
  readonly gasFrom: Address | null;
  /** Tokens that were sent here by mistake, and that operators release; each leaves the list when it is sent or given up. */
  readonly otherTokens?: readonly Address[];
  /** What the chain showed for the wallet less what the ledger says, wei; anything but 0 stops the wallet. */
  readonly driftWei: bigint;
  /** Sums of the ledger by kind of entry, written in the same transaction as the entries. */
  readonly totals: LedgerTotals;
  /** Orders signed so far; the next one's number is one more. */
  readonly ordersSigned: number;
  /** Mined successfully, and mined reverted. */
  readonly ordersPlaced: number;
  readonly ordersFailed: number;
  readonly consecutiveFailures: number;
  /** Numbers of orders that were not filled and are to be tried once more, oldest first. */
  readonly retries: readonly number[];
  /** Orders that brought less than their minimum: the token keeps a part, and nothing more is bought of it. */
  readonly shortDeliveries: number;
  /** Final orders added up, for the figures of docs/quality.md. */
  readonly purchases: Purchases;
  /** Price that the executor's own hosts told before the fee, pool fee in it; absent before, and where no pool was deep enough. */
  readonly confirmedPriceX96?: bigint;
  /** Price without the pool's fee that the visitor saw; null until the first final order shows what the fee is. */
  readonly arrivalPriceX96: bigint | null;
  /** Null before the first order. */
  readonly startPools: readonly StartPool[] | null;
  readonly ending: ExecutionEnding | null;
  /** When a job ends that was first worked on after its latest end, ms of the chain's clock; null for all others. */
  readonly graceEndsAtMs: number | null;
  /** Null while the wallet of an ended job was never checked for dust alone. */
  readonly dustChecks: DustChecks | null;
  /** Why money stays in the wallet for an operator. */
  readonly heldReason: string | null;
  /** Raised by every write: a write that was decided by an older one is refused. */
  readonly revision: number;
  /** When the job turned active, by the job service. Absent where it never did. */
  readonly activatedAt?: Date;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** Whether an execution in this phase has work to do by itself. */
export function isActivePhase(phase: ExecutionPhase): phase is ActivePhase {
  return (ACTIVE_PHASES as readonly ExecutionPhase[]).includes(phase);
}
