import type { ReceiptTransfer } from '@maker/contracts';

type TransactionStatus = ReceiptTransfer['status'];

/** Whether no block has the transaction yet, so that its results are unknown and not 0. */
export function isPending(status: TransactionStatus): boolean {
  return status === 'signed' || status === 'broadcast';
}

/** Status of a transaction for visitors, such as 'pending' or 'final'. */
export function shownStatus(status: TransactionStatus): string {
  return isPending(status) ? 'pending' : status;
}
