import type { CreditedDeposit } from '@maker/contracts';
import type { Execution, Refund } from '@maker/execution-records';
import type { Deposit } from '@maker/receipt';
import type { Hash } from 'viem';

/**
 * Money that came, as the receipt file tells of it: plain transfers by their transactions, up to what the ledger has
 * booked; the rest of that without a trace. Never more nor less than was booked.
 * @param credited what payment-watcher has credited, whenever
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

/** Deposits that come to an amount; what no transfer explains is one more, without a trace. */
function upTo(bookedWei: bigint, deposits: readonly CreditedDeposit[], pays: boolean): Deposit[] {
  const told: Deposit[] = [];
  let leftWei = bookedWei;
  for (const { kind, from, transactionHash, blockNumber, amountWei } of deposits) {
    if (kind !== 'transfer' || from === undefined || transactionHash === undefined) continue;
    if (BigInt(amountWei) > leftWei) continue;
    leftWei -= BigInt(amountWei);
    told.push({ kind, from, transactionHash: transactionHash as Hash, blockNumber, amountWei, pays });
  }
  if (leftWei > 0n) told.push(untraced(leftWei, pays));
  return told;
}

function untraced(amountWei: bigint, pays: boolean): Deposit {
  return { kind: 'untraced', from: null, transactionHash: null, blockNumber: null, amountWei: `${amountWei}`, pays };
}
