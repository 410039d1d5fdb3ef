import {
  type BalanceReading,
  type BlockPointer,
  type Confirmation,
  type TransferSearch,
  WatchedAddresses,
} from '@maker/chain';
import type { Lease } from '@maker/persistence';
import type { Address } from 'viem';

/** Blocks in which what nobody waits for is put off, while the scan is behind: on a quick chain it may be so always. */
const MOST_BLOCKS_PUT_OFF = 8;

/** Longest reorganisation whose common ancestor is found. */
const REMEMBERED_BLOCKS = 64;

/** The balance of a watched address at the state of one block. */
export interface BalanceFact {
  readonly balanceWei: bigint;
  readonly blockNumber: number;
  /** Timestamp of the block, ms. */
  readonly timestampMs: number;
}

/** A balance above what is known, whose sender is searched for. */
export interface SearchedBalance extends BalanceFact {
  readonly search: 'earlier' | 'credit';
}

/** The searches for senders. A step of them runs beside the scan. */
export interface BalanceSearches {
  readonly earlier: TransferSearch;
  readonly credit: TransferSearch;
  isRunning: boolean;
}

/** How far other hosts have confirmed a transfer. */
export interface Confirming {
  readonly sinceBlock: number;
  readonly says: Confirmation | undefined;
  readonly tries: number;
  /** Not asked about before this block. */
  readonly nextAtBlock: number;
}

/** What the active scanner keeps in memory while it holds its lease. All of it can be built again from the database. */
export class ScanState {
  /** Every address that is looked for in blocks. */
  readonly watched = new WatchedAddresses();
  /** Addresses whose balance is to be read after the next block, for a reason of their own. */
  readonly toRead = new Set<Address>();
  /** Addresses of the poll under way that are not read yet, in turn. */
  readonly toPoll = new Set<Address>();
  /** Those of the poll of which a reading without money changes nothing that is kept: read before, waiting, named by nobody. */
  readonly settled = new Set<Address>();
  /** The next of them are read after this block at the soonest. */
  nextPartAtBlock = 0;
  /** Blocks between two readings of addresses with a reason of their own. */
  namedEveryBlocks = 1;
  /** They are read after this block at the soonest. */
  nextNamedAtBlock = 0;
  /** Watches that another replica registered are looked for after this block at the soonest. */
  nextLookForNewAtBlock = 0;
  /** Balances of a block that is not scanned yet: they are explained when it is, since transfers explain them. */
  readings: BalanceReading[] = [];
  /** Balances that wait for a search; see {@link BalanceSearches}. */
  readonly searched = new Map<Address, SearchedBalance>();
  searches: BalanceSearches | undefined;
  /** What failed beside the scan: it ends with this after its next block. */
  failure: unknown;
  /** What other hosts say of transfers that wait to be credited, by deposit. */
  readonly confirming = new Map<string, Confirming>();
  /** The chain's time by which the last jobs ended, ms. */
  timeMs = 0;
  /** The last block whose time was ahead of the machine's clock by more than the bound. */
  lastBlockAhead = -1;
  /** The day for which dust of past days is settled, and up to which address; undefined at first. */
  dust: { readonly day: string; readonly after: Address | undefined; readonly isDone: boolean } | undefined;
  /** When the next poll of all addresses begins, ms; 0, as after a start: at once, and anew where one is under way. */
  nextPollAtMs = 0;
  /** The newest blocks scanned, oldest first; the last is the cursor. */
  blocks: readonly BlockPointer[];
  /** The last block that was never scanned, -1 if all were. */
  lastMissedBlock: number;

  /** Blocks scanned since the cursor was saved, at which nothing was written. */
  unsavedBlocks = 0;

  private putOff = 0;

  constructor(
    readonly lease: Lease,
    cursor: { readonly blocks: readonly BlockPointer[]; readonly lastMissedBlock: number },
  ) {
    this.blocks = cursor.blocks;
    this.lastMissedBlock = cursor.lastMissedBlock;
  }

  /** Moves the cursor to the next block; where that is not its child, those between were missed. */
  advance(block: BlockPointer): void {
    const tip = this.blocks.at(-1);
    const follows = tip === undefined || tip.number === block.number - 1;
    if (!follows) this.lastMissedBlock = block.number - 1;
    this.blocks = follows ? [...this.blocks.slice(1 - REMEMBERED_BLOCKS), block] : [block];
    this.unsavedBlocks += 1;
  }

  /** Moves the cursor back, and forgets what was learned from blocks that are no longer part of the chain. */
  rewind(ancestor: BlockPointer): void {
    this.blocks = [...this.blocks.filter(({ number }) => number < ancestor.number), ancestor];
    this.unsavedBlocks += 1;
    this.readings = [];
    this.searched.clear();
    this.searches = undefined;
    this.confirming.clear();
    this.nextPollAtMs = 0;
  }

  /** The newest scanned block that has a number of blocks on top of it. */
  confirmedBlock(confirmations: number): BlockPointer | undefined {
    return this.blocks.at(-1 - confirmations);
  }

  /**
   * Whether what nobody waits for is done after a block, dust and deadlines: where a newer block waits already, it would make a
   * payment in that one wait. Counts as asked once a block.
   */
  hasTime(blockNumber: number, headNumber: number): boolean {
    this.putOff = blockNumber < headNumber && this.putOff < MOST_BLOCKS_PUT_OFF ? this.putOff + 1 : 0;
    return this.putOff === 0;
  }
}
