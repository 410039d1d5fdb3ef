import { createHash } from 'node:crypto';
import { formatHype, MAXIMUM_PAYMENT_WEI } from '@maker/rules';
import { type Job, noDeposits } from '../job/job.ts';
import { AmountOutOfRange, TokenNotTradable } from './create-job.failures.ts';

/** What a visitor asked for. */
export interface JobRequest {
  /** Lower case. */
  readonly tokenAddress: string;
  readonly paymentAmountWei: bigint;
  /** Lower case. */
  readonly returnAddress?: string;
}

/** What token-validation found. */
export interface TokenVerdict {
  readonly isValid: boolean;
  readonly errorMessage?: string;
  /** Time of the chain's newest block, ms. */
  readonly chainTimeMs: number;
}

/** Used where token-validation gives no sentence of its own. Source: specification § 8. */
const NOT_TRADABLE_MESSAGE = 'Token does not meet minimum liquidity requirements';

/**
 * Refuses an amount that the product does not take. Source: specification § 5. Both in wei.
 * @throws AmountOutOfRange
 */
export function assertPaymentAmount(paymentAmountWei: bigint, minimumWei: bigint): void {
  if (paymentAmountWei >= minimumWei && paymentAmountWei <= MAXIMUM_PAYMENT_WEI) return;
  throw new AmountOutOfRange(
    `paymentAmount must be from ${formatHype(minimumWei)} to ${formatHype(MAXIMUM_PAYMENT_WEI)} HYPE`,
  );
}

/** Refuses a token that could not be bought and sold. @throws TokenNotTradable with token-validation's own sentence */
export function assertTradable(verdict: TokenVerdict): void {
  if (!verdict.isValid) throw new TokenNotTradable(verdict.errorMessage ?? NOT_TRADABLE_MESSAGE);
}

/**
 * Until when a job must be paid. Blocks decide whether a payment is in time, so a chain whose clock runs ahead of the
 * server's must not shorten the visitor's time. Source: design § 4 'Deadline'. All in ms.
 */
export function paymentDeadline(nowMs: number, chainTimeMs: number, paymentTimeoutMs: number): number {
  return Math.max(nowMs, chainTimeMs) + paymentTimeoutMs;
}

/** What tells two requests under one idempotency key apart: a hash over all that was asked for. */
export function hashRequest(request: JobRequest): string {
  const asked = [request.tokenAddress, request.paymentAmountWei.toString(), request.returnAddress ?? null];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

/** A job at the beginning of its life, waiting for its payment. */
export function newJob(
  request: JobRequest,
  wallet: { readonly index: number; readonly address: string },
  times: { readonly nowMs: number; readonly deadlineMs: number },
  jobId: string,
): Job {
  return {
    jobId,
    tokenAddress: request.tokenAddress,
    paymentAddress: wallet.address,
    walletIndex: wallet.index,
    paymentAmountWei: request.paymentAmountWei,
    paymentDeadlineMs: times.deadlineMs,
    returnAddress: request.returnAddress ?? null,
    requestedReturnAddress: request.returnAddress ?? null,
    status: 'pending_payment',
    assessment: noDeposits(request.paymentAmountWei),
    droppedWei: 0n,
    createdAtMs: times.nowMs,
  };
}
