import { DEFAULT_PLAN_LIMITS, NO_PURCHASES, STANDARD_ORDER_WEI, splitDeposit } from '@maker/rules';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { addEntries, EMPTY_TOTALS, type LedgerEntry, ledgerEntry } from '../ledger/ledger-entry.ts';
import type { Execution } from './execution.ts';
import { derivedPlan, type ExecutionPlan } from './execution-plan.ts';

/** A job that became active, as its event reports it. */
export interface ActivatedJob
  extends Required<Pick<Execution, 'stopCommitments' | 'activatedAt'>>,
    Pick<Execution, 'walletAddress' | 'walletIndex' | 'tokenAddress' | 'depositWei' | 'returnAddress' | 'payerClaim'> {
  readonly jobId: string;
  readonly plan: ExecutionPlan;
  /** Why the reported return address is refused. */
  readonly refusedAddress?: string;
}

/** Why an execution is refused: seed and xpub do not belong together, or the event was forged. */
export const FOREIGN_WALLET = 'the wallet of the job is not a wallet of this seed';

/** Fields of a new execution before its first tick. */
const INITIAL = {
  paused: null,
  cancelled: false,
  refunding: null,
  attempts: null,
  surplusAtBlock: null,
  absorbedWei: 0n,
  releasedAt: null,
  gasFrom: null,
  nextOrderAtMs: null,
  driftWei: 0n,
  ordersSigned: 0,
  ordersPlaced: 0,
  ordersFailed: 0,
  consecutiveFailures: 0,
  retries: [],
  shortDeliveries: 0,
  purchases: NO_PURCHASES,
  arrivalPriceX96: null,
  startPools: null,
  graceEndsAtMs: null,
  dustChecks: null,
  revision: 0,
} as const;

/**
 * Creates the execution of a job that was never active. It has no deposit, fee or orders and only returns money. If the wallet is not of
 * this seed, the execution is refused and its money stays held. Source: design § 4 'Amounts'.
 * @param seedAddress address of the seed's wallet at the job's index
 */
export function neverRan(
  job: Pick<ActivatedJob, 'jobId' | 'walletIndex'> & { readonly tokenAddress: string; readonly walletAddress: string },
  seedAddress: Address,
  now: Date,
): Execution {
  const walletAddress = getAddress(job.walletAddress);
  const ours = isAddressEqual(walletAddress, seedAddress);
  return {
    ...INITIAL,
    id: job.jobId,
    phase: ours ? 'never_ran' : 'refused',
    walletAddress,
    walletIndex: job.walletIndex,
    tokenAddress: getAddress(job.tokenAddress),
    token: null,
    returnAddress: null,
    depositWei: 0n,
    feeWei: 0n,
    orderBudgetWei: 0n,
    plannedOrders: 0,
    plan: derivedPlan(0n, now.getTime(), DEFAULT_PLAN_LIMITS),
    totals: EMPTY_TOTALS,
    ending: null,
    heldReason: ours ? null : FOREIGN_WALLET,
    createdAt: now,
    endedAt: now,
  };
}

/**
 * Creates the execution of an active job and divides its deposit. If the job's wallet is not the seed's wallet at its index,
 * the execution is refused and its money stays held for an operator. Source: design §§ 4 and 6.
 * @param seedAddress address of the seed's wallet at the job's index
 */
export function startExecution(
  job: ActivatedJob,
  seedAddress: Address,
  now: Date,
): { readonly execution: Execution; readonly entries: readonly LedgerEntry[] } {
  const ours = isAddressEqual(job.walletAddress, seedAddress);
  const { feeWei, orderBudgetWei } = splitDeposit(job.depositWei);
  const returnsToItself = job.returnAddress !== null && isAddressEqual(job.returnAddress, job.walletAddress);
  const { jobId, depositWei: amountWei } = job;
  const booked = { jobId, amountWei, recordedAt: now };
  // Operators return what is held, once the wallet is of the seed again.
  const entries = [
    ledgerEntry(jobId, 'deposit', booked),
    ...(ours ? [] : [ledgerEntry(`${jobId}/refused`, 'held', booked)]),
  ];
  return {
    entries,
    execution: {
      ...INITIAL,
      id: jobId,
      phase: ours ? 'fee' : 'refused',
      walletAddress: job.walletAddress,
      walletIndex: job.walletIndex,
      tokenAddress: job.tokenAddress,
      token: null,
      returnAddress: returnsToItself ? null : job.returnAddress,
      ...(job.payerClaim && { payerClaim: job.payerClaim }),
      stopCommitments: job.stopCommitments,
      depositWei: job.depositWei,
      feeWei,
      orderBudgetWei,
      plannedOrders: Number(orderBudgetWei / STANDARD_ORDER_WEI),
      plan: job.plan,
      totals: addEntries(EMPTY_TOTALS, entries),
      ending: ours ? null : { kind: 'technical', message: FOREIGN_WALLET },
      heldReason: ours ? (job.refusedAddress ?? null) : FOREIGN_WALLET,
      activatedAt: job.activatedAt,
      createdAt: now,
      endedAt: ours ? null : now,
    },
  };
}
