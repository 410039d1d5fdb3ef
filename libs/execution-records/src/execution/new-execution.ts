import type { SignedTerms } from '@maker/contracts';
import { DEFAULT_PLAN_LIMITS, NO_PURCHASES, STANDARD_ORDER_WEI, splitDeposit } from '@maker/rules';
import { deviationOf, type RecipientTrust } from '@maker/signing/agreement';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { addEntries, EMPTY_TOTALS, type LedgerEntry, ledgerEntry } from '../ledger/ledger-entry.ts';
import type { ActivatedJob } from './activated-job.ts';
import type { Execution } from './execution.ts';
import { derivedPlan } from './execution-plan.ts';

/** Why an execution is refused: seed and xpub do not belong together, or the event was forged. See also `NOT_AGREED`. */
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
  job: Pick<ActivatedJob, 'jobId' | 'walletIndex'> &
    Record<'tokenAddress' | 'walletAddress', string> & { readonly terms?: SignedTerms | undefined },
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
    ...(job.terms && { terms: job.terms }),
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
 * Creates the execution of an active job and divides its deposit. If the job's wallet is not the seed's wallet at its index, or if the job
 * differs from its agreement, the execution is refused and its money stays held for an operator. Source: design §§ 4 and 6.
 * @param seedAddress address of the seed's wallet at the job's index
 */
export function startExecution(
  job: ActivatedJob,
  seedAddress: Address,
  now: Date,
  trust: Pick<RecipientTrust, 'agreementSigners' | 'chainId'>,
): { readonly execution: Execution; readonly entries: readonly LedgerEntry[] } {
  const refusal = isAddressEqual(job.walletAddress, seedAddress) ? deviationOf(job, trust) : FOREIGN_WALLET;
  const isRefused = refusal !== undefined;
  const { feeWei, orderBudgetWei } = splitDeposit(job.depositWei);
  const returnsToItself = job.returnAddress !== null && isAddressEqual(job.returnAddress, job.walletAddress);
  const isUsable = !returnsToItself && job.refusedAddress === undefined;
  const { jobId, depositWei: amountWei } = job;
  const booked = { jobId, amountWei, recordedAt: now };
  // Operators return what is held, to the agreed address or to one that they sign.
  const entries = [
    ledgerEntry(jobId, 'deposit', booked),
    ...(isRefused ? [ledgerEntry(`${jobId}/refused`, 'held', booked)] : []),
  ];
  return {
    entries,
    execution: {
      ...INITIAL,
      id: jobId,
      phase: isRefused ? 'refused' : 'fee',
      walletAddress: job.walletAddress,
      walletIndex: job.walletIndex,
      tokenAddress: job.tokenAddress,
      token: null,
      returnAddress: isUsable ? job.returnAddress : null,
      ...(job.payerClaim && isUsable && { payerClaim: job.payerClaim }),
      ...(job.terms && { terms: job.terms }),
      depositWei: job.depositWei,
      feeWei,
      orderBudgetWei,
      plannedOrders: Number(orderBudgetWei / STANDARD_ORDER_WEI),
      plan: job.plan,
      totals: addEntries(EMPTY_TOTALS, entries),
      ending: isRefused ? { kind: 'technical', message: refusal } : null,
      heldReason: refusal ?? job.refusedAddress ?? null,
      activatedAt: job.activatedAt,
      createdAt: now,
      endedAt: isRefused ? now : null,
    },
  };
}
