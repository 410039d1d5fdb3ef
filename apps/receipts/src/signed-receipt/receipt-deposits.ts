import type { CreditedDeposit } from '@maker/contracts';
import type { Execution, Refund } from '@maker/execution-records';
import type { Deposit } from '@maker/receipt';
import type { Hash } from 'viem';

/**
 * Deposits of the receipt file: plain transfers with their transactions, up to the amount in the ledger. The rest of that amount
 * becomes untraced deposits. The sum always equals the ledger.
 * @param credited all deposits that the job service has recorded
 */
export function receiptDeposits(
  { depositWei, totals }: Pick<Execution, 'depositWei' | 'totals'>,
  credited: readonly CreditedDeposit[],
  refunds: readonly Pick<Refund, 'depositIds'>[],
): readonly Deposit[] {
  const refunded = new Set(refunds.flatMap(({ depositIds }) => depositIds));
  const inOrder = [...credited].sort((one, other) => one.blockNumber - other.blockNumber);
  const paying = inOrder.filter(({ depositId }) => !refunded.has(depositId));
  const others = inOrder.filter(({ depositId }) => refunded.has(depositId));
  return [...upTo(depositWei - totals.missingWei, paying, true), ...upTo(totals.surplusWei, others, false)];
}

/** Deposits that add up to an amount; an untraced deposit covers the part that no transfer explains. */
function upTo(bookedWei: bigint, deposits: readonly CreditedDeposit[], pays: boolean): Deposit[] {
  const listed: Deposit[] = [];
  let leftWei = bookedWei;
  for (const { kind, from, transactionHash, blockNumber, amountWei } of deposits) {
    if (kind !== 'transfer' || from === undefined || transactionHash === undefined) continue;
    if (BigInt(amountWei) > leftWei) continue;
    leftWei -= BigInt(amountWei);
    listed.push({ kind, from, transactionHash: transactionHash as Hash, blockNumber, amountWei, pays });
  }
  if (leftWei > 0n) listed.push(untraced(leftWei, pays));
  return listed;
}

function untraced(amountWei: bigint, pays: boolean): Deposit {
  return { kind: 'untraced', from: null, transactionHash: null, blockNumber: null, amountWei: `${amountWei}`, pays };
}
