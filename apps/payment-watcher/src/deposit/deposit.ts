import type { BlockPointer, Transfer } from '@maker/chain';
import type { Address, Hash } from 'viem';
import type { Watch } from '../watch/watch.ts';

/** How money came: a plain transfer; inside a contract call; credited from HyperCore; or as a balance that rose with none of these. */
export const DEPOSIT_KINDS = ['transfer', 'internal', 'system', 'balance'] as const;

/** See {@link DEPOSIT_KINDS}. */
export type DepositKind = (typeof DEPOSIT_KINDS)[number];

/**
 * Where a deposit stands:
 *
 *   seen ──▶ credited ──▶ displaced ──▶ dropped     its block left the chain, and it was not mined again
 *     ▲                       │            │
 *     └───────────────────────┴────────────┘        found in another block: one more occurrence
 */
export type DepositState = 'seen' | 'credited' | 'displaced' | 'dropped';

/** Blocks of the new branch, beyond the height of the old one, in which a displaced transaction is mined again. */
export const MINED_AGAIN_WITHIN_BLOCKS = 5;

/** Money that arrived at a watched address. It is seen first, and credited once it is confirmed. */
export interface Deposit {
  /** Names the deposit for ever, however often it is found. */
  readonly depositId: string;
  readonly address: Address;
  readonly jobId: string;
  readonly kind: DepositKind;
  readonly amountWei: bigint;
  /** Sender of a plain transfer. */
  readonly from?: Address;
  readonly transactionHash?: Hash;
  readonly blockNumber: number;
  /** Hash of that block for a transfer; a rise of a balance is in no block that could be named for sure. */
  readonly blockHash?: Hash;
  /** What decides whether it is in time, ms. */
  readonly blockAtMs: number;
  /** 1 at first; one more each time that it is found in a block again after its block had left the chain. */
  readonly occurrence: number;
  /** The block by which it is known: confirmations count from there. A rise of a balance may be older than its reading. */
  readonly seenAtBlock: number;
}

/** A plain transfer, or a credit from HyperCore, as a deposit. Its id is (address, transaction hash): a transaction pays an address directly once. */
export function depositOfTransfer(watch: Watch, transfer: Transfer, block: BlockPointer): Deposit {
  return {
    depositId: `${watch.address}:${transfer.transactionHash}`,
    address: watch.address,
    jobId: watch.jobId,
    amountWei: transfer.amountWei,
    ...(transfer.from === null ? { kind: 'system' } : { kind: 'transfer', from: transfer.from }),
    transactionHash: transfer.transactionHash,
    blockNumber: block.number,
    blockHash: block.hash,
    blockAtMs: block.timestampMs,
    occurrence: 1,
    seenAtBlock: block.number,
  };
}

/** Sum of deposits, wei. */
export function sumOf(deposits: readonly Deposit[]): bigint {
  return deposits.reduce((sum, { amountWei }) => sum + amountWei, 0n);
}
