import type { JobStatusResponse } from '@maker/contracts';
import { formatHype, splitDeposit } from '@maker/rules';
import { Refusal } from '../steps.ts';
import type { NewJob } from './begin-job.ts';

/** @returns the fee in wei once it is in a block @throws Refusal if the fee differs from the terms */
export function paidFee({ receipt }: JobStatusResponse, { paidWei }: NewJob): bigint | undefined {
  const transfer = receipt?.transfers.find(({ kind }) => kind === 'fee');
  if (transfer?.status === 'failed') throw new Refusal('the fee’s transfer failed');
  if (transfer?.status !== 'mined' && transfer?.status !== 'final') return undefined;
  const [amount, expected] = [BigInt(transfer.amount), splitDeposit(paidWei).feeWei];
  if (amount === expected) return amount;
  throw new Refusal(`the fee is ${formatHype(amount)} HYPE, but ${formatHype(expected)} HYPE were expected`);
}

/** @returns returned wei of an ended job @throws Refusal if an operator must release the money */
export function returned(status: JobStatusResponse, { kind }: NewJob): bigint | undefined {
  return kind === 'whole' ? returnedRest(status) : returnedDeposit(status);
}

function returnedRest({ status, receipt }: JobStatusResponse): bigint | undefined {
  if (status === 'active' || !receipt) return undefined;
  if (BigInt(receipt.heldWei) > 0n) throw new Refusal(`held: ${receipt.heldReason ?? 'no reason is given'}`);
  const wei = BigInt(receipt.returnedWei);
  return wei > 0n ? wei : undefined;
}

function returnedDeposit({ returns = [] }: JobStatusResponse): bigint | undefined {
  const held = returns.find(({ status }) => status === 'held');
  if (held) throw new Refusal(`held: ${held.reason ?? 'no reason is given'}`);
  const [refund] = returns;
  return refund?.status === 'returned' ? BigInt(refund.returnedWei ?? 0) : undefined;
}
