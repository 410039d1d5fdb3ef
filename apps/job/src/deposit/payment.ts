import { isInTime } from '@maker/rules';
import { type Deposit, senderOf } from './deposit.ts';

export interface Payment {
  /** Whose own plain transfers pay for it; null where nobody's alone do: what is returned then is held for an operator. */
  readonly payer: string | null;
  /** All that these deposits amount to, wei: the money that the budget is made from. */
  readonly amountWei: bigint;
  readonly depositIds: readonly string[];
}

/**
 * Finds what pays for a job among what came in time and is on the chain: all plain transfers of the first sender whose
 * own cover the amount; else what came from nobody who could be named (a contract, HyperCore), if that covers it; else
 * everything together. What is not part of the payment joins no budget, so that nobody's dust gains another's money.
 * Source: design § 4 'Return address'.
 * @param requiredWei the job's payment amount, wei
 * @param deadlineMs the job's deadline, ms
 * @returns undefined while everything together is too little
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
