import type { JobStatusResponse, Receipt } from '@maker/contracts';
import { isFailed, type PauseReason } from '@maker/rules';
import { hype, tokenAmount } from '../amounts.ts';

/** The maker's current activity in one sentence, with its tone. */
export interface ReceiptHeadline {
  readonly tone: 'plain' | 'green' | 'yellow' | 'red';
  readonly text: string;
  /** Why the job pauses now. */
  readonly pauseReason?: PauseReason;
}

/**
 * The receipt's first line. @param timeOfDay formats a time, such as '14:05'
 * @param isOwn whether the visitor has the job's private code
 */
export function receiptHeadline(
  job: JobStatusResponse,
  timeOfDay: (iso: string) => string,
  isOwn: boolean,
): ReceiptHeadline {
  const { status, receipt, failureReason } = job;
  if (receipt?.heldReason)
    return {
      tone: 'yellow',
      text: `The operator holds a part of your deposit: ${receipt.heldReason}. Contact support`,
    };
  if (status === 'completed') {
    return { tone: 'green', text: `Done${outcomeText(receipt, '. ')}` };
  }
  // The payer's own decision is no failure; the pill keeps the specified words.
  if (status === 'cancelled' && job.stopRequestedAt !== undefined) {
    return { tone: 'plain', text: `Stopped by ${isOwn ? 'you' : 'the payer'}${outcomeText(receipt, ': ')}` };
  }
  if (isFailed(status)) {
    const reason = failureReason ? `: ${failureReason}` : '';
    return { tone: 'red', text: `The job ended early${reason}` };
  }
  if (job.stopRequestedAt !== undefined) {
    return {
      tone: 'yellow',
      text: `${isOwn ? 'You' : 'The payer'} stopped this job. The bought tokens are being delivered, and the unspent HYPE is being returned`,
    };
  }
  if (!receipt) return { tone: 'yellow', text: 'Payment received. The first order follows shortly' };
  if (receipt.paused) {
    const { reason, since } = receipt.paused;
    return { tone: 'yellow', text: `Paused since ${timeOfDay(since)}`, pauseReason: reason };
  }
  if (receipt.ordersPlaced === 0) return { tone: 'green', text: 'The first order is being placed' };
  if (receipt.ordersPlaced < receipt.plannedOrders) return { tone: 'green', text: 'Placing orders' };
  return { tone: 'green', text: 'All orders are placed. Delivery follows' };
}

/** Such as '. 74.77 BOTH delivered, 0.098 HYPE returned'; empty without a receipt. */
function outcomeText(receipt: JobStatusResponse['receipt'], separator: string): string {
  if (!receipt) return '';
  const { deliveredTokens, returnedWei, token } = receipt;
  return `${separator}${tokenAmount(deliveredTokens, token.decimals)} ${token.symbol} delivered, ${hype(returnedWei)} returned`;
}

/**
 * Why an ended job placed fewer orders than estimated; undefined if it did not. Source: design § 4a.
 * @param isComplete whether it ran to its end; otherwise the headline names the reason
 */
export function fewerOrdersText(receipt: Receipt, isComplete: boolean): string | undefined {
  const { ordersPlaced, standardOrders = ordersPlaced, estimate } = receipt;
  if (ordersPlaced >= estimate.lower) return undefined;
  const reasons = [];
  if (standardOrders > ordersPlaced) {
    reasons.push(
      `Network fees were high, so orders were merged: the ${count(ordersPlaced)} placed orders replace ${count(standardOrders)} standard orders.`,
    );
  }
  if (isComplete && standardOrders < estimate.lower)
    reasons.push('Because of pauses or low liquidity, a part of the budget was not spent.');
  return ['Fewer orders were placed than estimated.', ...reasons].join(' ');
}

function count(orders: number): string {
  return orders.toLocaleString('en-US');
}
