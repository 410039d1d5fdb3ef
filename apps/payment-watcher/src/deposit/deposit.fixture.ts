import type { BlockPointer, Transfer } from '@maker/chain';
import type { Address, Hash } from 'viem';
import { UNSEEN_WATCH } from '../watch/unseen-watch.ts';
import type { Watch } from '../watch/watch.ts';
import type { Deposit } from './deposit.ts';

export const WALLET: Address = `0x${'aa'.repeat(20)}`;
export const PAYER: Address = `0x${'bb'.repeat(20)}`;
export const TRANSACTION: Hash = `0x${'11'.repeat(32)}`;

/** Deadline of {@link watchOf}, ms. */
export const DEADLINE_MS = 1_000_000;

export function watchOf(changes: Partial<Watch> = {}): Watch {
  return {
    address: WALLET,
    jobId: `job_${'0'.repeat(32)}`,
    createdAtMs: DEADLINE_MS - 900_000,
    deadlineMs: DEADLINE_MS,
    ...UNSEEN_WATCH,
    scannedFromBlock: 1,
    ...changes,
  };
}

export function blockOf(number: number, timestampMs = DEADLINE_MS - 1000): BlockPointer {
  return { number, hash: `0x${number.toString(16).padStart(64, '0')}`, timestampMs };
}

export function transferOf(changes: Partial<Transfer> = {}): Transfer {
  return { transactionHash: TRANSACTION, from: PAYER, to: WALLET, amountWei: 5n, ...changes };
}

export function depositOf(changes: Partial<Deposit> = {}): Deposit {
  return {
    depositId: `${WALLET}:${TRANSACTION}`,
    address: WALLET,
    jobId: `job_${'0'.repeat(32)}`,
    kind: 'transfer',
    amountWei: 5n,
    blockNumber: 10,
    blockHash: blockOf(10).hash,
    blockAtMs: DEADLINE_MS - 1000,
    occurrence: 1,
    seenAtBlock: 10,
    ...changes,
  };
}
