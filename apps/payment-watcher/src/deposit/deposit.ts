import type { BlockPointer, Transfer } from '@maker/chain';
import type { Address, Hash } from 'viem';
import type { Watch } from '../watch/watch.ts';

/** How money arrived: by plain transfer, inside a contract call, as a HyperCore credit, or as a balance rise of unknown cause. */
export const DEPOSIT_KINDS = ['transfer', 'internal', 'system', 'balance'] as const;

/** See {@link DEPOSIT_KINDS}. */
export type DepositKind = (typeof DEPOSIT_KINDS)[number];

/**
 * The state of a deposit:
 *
 *   seen ──▶ credited ──▶ displaced ──▶ dropped     its block left the chain, and it was not mined again
 *     ▲                       │            │
 *     └───────────────────────┴────────────┘        found in another block: one more occurrence
 */
export type DepositState = 'seen' | 'credited' | 'displaced' | 'dropped';

/** Blocks of the new branch above the old head in which a displaced transaction may be mined again. */
export const DISPLACED_FOR_BLOCKS = 5;

/** Money that arrived at a watched address: first seen, then credited after its confirmation. */
export interface Deposit {
  /** Permanent id, also if the deposit is found again. */
  readonly depositId: string;
  readonly address: Address;
  readonly jobId: string;
  readonly kind: DepositKind;
  readonly amountWei: bigint;
  /** Sender of a plain transfer. */
  readonly from?: Address;
  readonly transactionHash?: Hash;
  readonly blockNumber: number;
  /** Hash of that block for a transfer. Absent for a balance rise, whose block is not known for sure. */
  readonly blockHash?: Hash;
  /** Time that decides whether the deposit is in time, ms. */
  readonly blockAtMs: number;
  /** 1 at first; plus 1 each time the deposit is found again after its block left the chain. */
  readonly occurrence: number;
  /** The block that showed the deposit; confirmations count from it. A balance rise may be older than its reading. */
  readonly seenAtBlock: number;
  /** For a rise: the first block that may hold its money; absent if no reading came before. */
  readonly sinceBlock?: number;
}

/** Returns a transfer or HyperCore credit as a deposit. Id: (address, transaction hash), as a transaction pays an address directly once. */
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
