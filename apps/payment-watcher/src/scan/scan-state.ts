import {
  type BalanceReading,
  type BlockPointer,
  type Confirmation,
  type EarlierTransfer,
  type TransferSearch,
  WatchedAddresses,
} from '@maker/chain';
import type { Lease } from '@maker/persistence';
import type { Address } from 'viem';

/** Most blocks for which a late scan defers dust and deadlines. On a fast chain, the scan may always be late. */
const MOST_BLOCKS_DEFERRED = 8;

/** Length of the longest reorganisation whose common ancestor the scan finds, blocks. */
const REMEMBERED_BLOCKS = 64;

/** The balance of a watched address at one block. */
export interface BalanceFact {
  readonly balanceWei: bigint;
  readonly blockNumber: number;
  /** Timestamp of the block, ms. */
  readonly timestampMs: number;
}

/** A balance above the known deposits, with a search for the sender. */
export interface SearchedBalance extends BalanceFact {
  readonly search: 'earlier' | 'credit';
}

/** The searches for senders. Their steps run in parallel with the scan. */
export interface BalanceSearches {
  readonly earlier: TransferSearch;
  readonly credit: TransferSearch;
  /** Searches of every host for what explains a rise. */
  readonly everyHost: TransferSearch;
  isRunning: boolean;
}

/** A search for the transfers behind a rise, on every host. */
export interface RiseSearch {
  readonly depositId: string;
  /** Present once the search is finished: what it found, possibly nothing. */
  readonly transfers?: readonly EarlierTransfer[];
}

/** State of the confirmation of a rise by other hosts. */
export interface Confirming {
  readonly outcome: Confirmation | undefined;
  readonly tries: number;
  /** The first block for the next try. */
  readonly nextAtBlock: number;
}

/** State that the active scanner keeps in memory during its lease. A new scanner rebuilds it from the database. */
export class ScanState {
  /** Every address that the scan searches for in blocks. */
  readonly watched = new WatchedAddresses();
  /** Addresses to read after the next block for a reason, such as a mention. */
  readonly toRead = new Set<Address>();
  /** Unread addresses of the current poll, in order. */
  readonly toPoll = new Set<Address>();
  /** Addresses of the poll whose reading of zero changes nothing: read before, waiting, and not named in calldata. */
  readonly settled = new Set<Address>();
  /** Earliest block for the next part of the poll. */
  nextPartAtBlock = 0;
  /** Blocks between two readings of `toRead`. */
  namedEveryBlocks = 1;
  /** Earliest block for the next reading of `toRead`. */
  nextNamedAtBlock = 0;
  /** Earliest block for the next check for watches that another replica registered. */
  nextCheckForNewAtBlock = 0;
  /** Balances of an unscanned block. They are explained after its scan, because its transfers explain them. */
  readings: BalanceReading[] = [];
  /** Balances that wait for a search; see {@link BalanceSearches}. */
  readonly searched = new Map<Address, SearchedBalance>();
  searches: BalanceSearches | undefined;
  /** Rises whose transfers are searched on every host, by address: one rise of an address at a time. */
  readonly riseSearches = new Map<Address, RiseSearch>();
  /** Error of a parallel search: it ends the scan after the next block. */
  failure: unknown;
  /** Confirmations of uncredited deposits by other hosts, by deposit id. */
  readonly confirming = new Map<string, Confirming>();
  /** The last decided chain time, ms. */
  timeMs = 0;
  /** The last block whose time exceeded the machine's clock by more than the bound. */
  lastBlockAhead = -1;
  /** Progress of the daily settlement of dust: the day and the last address; undefined at first. */
  dust: { readonly day: string; readonly after: Address | undefined; readonly isDone: boolean } | undefined;
  /** Start of the next poll, ms. 0, as after a start: immediately, and restart a running poll. */
  nextPollAtMs = 0;
  /** The newest scanned blocks, oldest first; the last is the cursor. */
  blocks: readonly BlockPointer[];
  /** The last missed block; -1 if none. */
  lastMissedBlock: number;

  /** Empty blocks since the last save of the cursor. */
  unsavedBlocks = 0;

  private deferred = 0;

  constructor(
    readonly lease: Lease,
    cursor: { readonly blocks: readonly BlockPointer[]; readonly lastMissedBlock: number },
  ) {
    this.blocks = cursor.blocks;
    this.lastMissedBlock = cursor.lastMissedBlock;
  }

  /** Moves the cursor to the next block. If its number does not follow, the blocks between were missed. */
  advance(block: BlockPointer): void {
    const tip = this.blocks.at(-1);
    const follows = tip === undefined || tip.number === block.number - 1;
    if (!follows) this.lastMissedBlock = block.number - 1;
    this.blocks = follows ? [...this.blocks.slice(1 - REMEMBERED_BLOCKS), block] : [block];
    this.unsavedBlocks += 1;
  }

  /** Moves the cursor back and discards state from removed blocks. */
  rewind(ancestor: BlockPointer): void {
    this.blocks = [...this.blocks.filter(({ number }) => number < ancestor.number), ancestor];
    this.unsavedBlocks += 1;
    this.readings = [];
    this.searched.clear();
    this.searches = undefined;
    this.riseSearches.clear();
    this.confirming.clear();
    this.nextPollAtMs = 0;
  }

  /** The newest scanned block with the given number of blocks above it. */
  confirmedBlock(confirmations: number): BlockPointer | undefined {
    return this.blocks.at(-1 - confirmations);
  }

  /**
   * Whether deferrable work, such as dust and deadlines, runs after a block. If a newer block waits, the work would delay
   * its payments. Call it once per block: it counts the deferred blocks.
   */
  hasTime(blockNumber: number, headNumber: number): boolean {
    this.deferred = blockNumber < headNumber && this.deferred < MOST_BLOCKS_DEFERRED ? this.deferred + 1 : 0;
    return this.deferred === 0;
  }
}
