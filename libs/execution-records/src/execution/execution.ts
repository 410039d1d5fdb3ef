import type { SignedCommand, SignedTerms } from '@maker/contracts';
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
 * The phases of an execution: `fee` → `trading` → `delivery` → `return` → `completed` or `failed`. A `refused` execution never begins:
 * its wallet is not from our seed. A job that was not paid in time has `never_ran`: its execution only returns the deposits. An operator
 * who releases held money moves an ended execution back to `delivery`.
 */
export const EXECUTION_PHASES = [...ACTIVE_PHASES, 'completed', 'failed', 'refused', 'never_ran'] as const;

export type ExecutionPhase = (typeof EXECUTION_PHASES)[number];

/** Why trading ended; decided once, when the execution leaves `trading`. */
export interface ExecutionEnding {
  readonly kind: 'completed' | 'liquidity' | 'technical' | 'cancelled';
  /** For the operator and the job's timeline. */
  readonly message: string;
  /** Chain time. Absent if trading never began. */
  readonly at?: Date;
}

/** The refund that is being sent; the signing policy checks the transfer against it. */
export interface Refunding {
  readonly id: string;
  readonly to: Address;
  /** Most that the transfer and its gas may take from the wallet, wei: the deposits less the gas of failed attempts. */
  readonly amountWei: bigint;
  readonly attempts: Attempts;
}

/** A plain transfer to a job's wallet that names its sender. */
export interface TransferClaim {
  readonly transactionHash: Hash;
  /** Wei. */
  readonly amountWei: bigint;
}

/** The payer that another service reported. It receives nothing before the chain proves it. Source: docs/adr/0075. */
export interface PayerClaim {
  readonly payer: Address;
  readonly transfers: readonly TransferClaim[];
  readonly isProven: boolean;
}

/** Checks of an ended wallet that found only dust; each one delays the next. */
export interface DustChecks {
  readonly count: number;
  readonly atBlock: number;
}

/** Tokens that a pool quoted before the first order, for parts of the budget and for all of it in one swap. */
export interface StartPool {
  readonly exchange: string;
  readonly samples: readonly { readonly inWei: bigint; readonly outTokens: bigint }[];
}

/** The work of maker-executor for one job: the only record of it, changed only under the wallet's lease. */
export interface Execution {
  /** The job's id: there is at most one execution per job. */
  readonly id: string;
  /** The request that created the job, and the payment that started it: log lines about the job carry them. */
  readonly origin?: Origin;
  readonly phase: ExecutionPhase;
  readonly walletAddress: Address;
  readonly walletIndex: number;
  readonly tokenAddress: Address;
  readonly token: { readonly symbol: string; readonly decimals: number } | null;
  /** Money goes there only if `AgreedRecipient` verifies it at that moment: a row can be changed. */
  readonly returnAddress: Address | null;
  /** Present if the visitor named no return address: the payer becomes it, once proven. */
  readonly payerClaim?: PayerClaim;
  /** The agreement with its amendments, as the job service signed them; absent for jobs of earlier releases. Source: docs/adr/0142. */
  readonly terms?: SignedTerms;
  /** The operators' command that last released held money; absent before. It names a recipient beside the agreed one. */
  readonly release?: SignedCommand;
  /** Counted deposit and its division, wei. They never change. Source: rules, `splitDeposit`. */
  readonly depositWei: bigint;
  readonly feeWei: bigint;
  readonly orderBudgetWei: bigint;
  /** Standard orders that the budget pays for; merging makes the real number smaller. */
  readonly plannedOrders: number;
  readonly plan: ExecutionPlan;
  /** Chain time at which the next order is due, ms; null before trading. */
  readonly nextOrderAtMs: number | null;
  /** `since` is chain time. */
  readonly paused: { readonly reason: PauseReason; readonly since: Date } | null;
  /** The payer or an operator cancelled the job: the executor places no further order. */
  readonly cancelled: boolean;
  readonly refunding: Refunding | null;
  /** Attempts of the delivery, or of the return of the rest; null before the first, and in other phases. */
  readonly attempts: Attempts | null;
  /** Height of the newest money that the ledger did not expect; null before the first. */
  readonly surplusAtBlock: number | null;
  /** Part of the surplus that went with the rest because no refund claimed it, wei. */
  readonly absorbedWei: bigint;
  /** When an operator last released held money; null before. */
  readonly releasedAt: Date | null;
  /** Address that sends the gas of a release to a wallet without any; null if the operator named none. */
  readonly gasFrom: Address | null;
  /** Wrongly sent tokens that operators release; each leaves the list when it is sent or given up. */
  readonly otherTokens?: readonly Address[];
  /** The chain's balance less the ledger's balance, wei; any value but 0 stops the wallet. */
  readonly driftWei: bigint;
  /** Sums of the ledger by kind of entry, written in the same transaction as the entries. */
  readonly totals: LedgerTotals;
  /** Orders signed so far; the next order's number is one more. */
  readonly ordersSigned: number;
  /** Orders mined successfully; `ordersFailed` are mined and reverted. */
  readonly ordersPlaced: number;
  readonly ordersFailed: number;
  readonly consecutiveFailures: number;
  /** Numbers of unfilled orders that the executor must try once more, oldest first. */
  readonly retries: readonly number[];
  /** Orders that brought less than their minimum: the token keeps a part, so buying stops. */
  readonly shortDeliveries: number;
  /** Sums of final orders, for the figures of docs/quality.md. */
  readonly purchases: Purchases;
  /** Price from the executor's own endpoints before the fee, with the pool's fee; absent before, or if no pool was deep enough. */
  readonly confirmedPriceX96?: bigint;
  /** Price that the visitor saw, without the pool's fee; null until the first final order shows that fee. */
  readonly arrivalPriceX96: bigint | null;
  /** Null before the first order. */
  readonly startPools: readonly StartPool[] | null;
  readonly ending: ExecutionEnding | null;
  /** End of a job whose first tick was after its latest end, ms of chain time; null for other jobs. */
  readonly graceEndsAtMs: number | null;
  /** Null before the first such check of an ended job's wallet. */
  readonly dustChecks: DustChecks | null;
  /** Why money stays in the wallet for an operator. */
  readonly heldReason: string | null;
  /** Every write increments it and is refused if its decision used an older revision. */
  readonly revision: number;
  /** When the job service activated the job. Absent if it never did. */
  readonly activatedAt?: Date;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** Whether an execution in this phase has work to do without a fact. */
export function isActivePhase(phase: ExecutionPhase): phase is ActivePhase {
  return (ACTIVE_PHASES as readonly ExecutionPhase[]).includes(phase);
}
