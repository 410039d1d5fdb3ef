import { isInTime } from '@maker/rules';
import { type Deposit, senderOf } from './deposit.ts';

export interface Payment {
  /** Sender whose own plain transfers cover the amount. Null if none does: then returned money is held for an operator. */
  readonly payer: string | null;
  /** Sum of these deposits, wei, of which the budget is a part. */
  readonly amountWei: bigint;
  readonly depositIds: readonly string[];
}

/**
 * Finds the deposits that pay for a job, among those in time and on the chain: all plain transfers of the first sender
 * who covers the amount; else all money without a known sender (a contract, HyperCore), if it covers the amount; else
 * all together. Other deposits join no budget, so that a sender of dust cannot gain another's money.
 * Source: design § 4 'Return address'.
 * @param requiredWei the job's payment amount, wei
 * @param deadlineMs the job's deadline, ms
 * @returns undefined while all together is too little
 */
export function findPayment(
  deposits: readonly Deposit[],
  requiredWei: bigint,
  deadlineMs: number,
): Payment | undefined {
  const inTime = deposits
    .filter(({ dropped, blockTimestampMs }) => !dropped && isInTime(blockTimestampMs, deadlineMs))
    .sort((one, other) => one.blockNumber - other.blockNumber);
  const payer = firstToCover(inTime, requiredWei);
  if (payer !== undefined) return paymentOf(payer, bySender(inTime, payer));
  const unnamed = paymentOf(null, bySender(inTime, undefined));
  if (unnamed.amountWei >= requiredWei) return unnamed;
  const together = paymentOf(null, inTime);
  return together.amountWei >= requiredWei ? together : undefined;
}

/** @param deposits in the order of their blocks */
function firstToCover(deposits: readonly Deposit[], requiredWei: bigint): string | undefined {
  const sentWei = new Map<string, bigint>();
  for (const deposit of deposits) {
    const sender = senderOf(deposit);
    if (sender === undefined) continue;
    const sum = (sentWei.get(sender) ?? 0n) + deposit.amountWei;
    if (sum >= requiredWei) return sender;
    sentWei.set(sender, sum);
  }
  return undefined;
}

function bySender(deposits: readonly Deposit[], sender: string | undefined): Deposit[] {
  return deposits.filter((deposit) => senderOf(deposit) === sender);
}

function paymentOf(payer: string | null, deposits: readonly Deposit[]): Payment {
  return {
    payer,
    amountWei: deposits.reduce((sum, { amountWei }) => sum + amountWei, 0n),
    depositIds: deposits.map(({ depositId }) => depositId),
  };
}
