import type { Address, Hash } from 'viem';
import type { BlockPointer, Transfer } from './scan-events.ts';

/** A transfer and the block that holds it. */
export interface EarlierTransfer extends Transfer {
  readonly block: BlockPointer;
}

/** A search for the senders of payments to an address in a range of blocks, both ends included. */
export interface SearchWant {
  /** In lower case. */
  readonly address: Address;
  /** The search ends when it has found transfers of this sum, wei. */
  readonly amountWei: bigint;
  readonly fromBlock: number;
  readonly toBlock: number;
  /** The search ends at blocks before this time, ms. */
  readonly notBeforeMs?: number;
  /** Transactions of transfers that are known already: they do not explain the money. */
  readonly known?: ReadonlySet<Hash>;
}

/** Result of a search, newest first; possibly less than the wanted sum, where money came in another way. */
export interface SearchResult {
  readonly address: Address;
  readonly transfers: readonly EarlierTransfer[];
  /** False where the nodes did not return a block or a receipt after all tries. */
  readonly isComplete: boolean;
}

/** A block as a search needs it. */
export interface SearchedBlock {
  readonly timestampMs?: number;
  readonly recipients: ReadonlySet<Address>;
  /**
   * @param isLastTry whether no further try follows
   * @returns undefined while the nodes do not return all data, 'unanswered' while a host does not answer
   */
  transfersTo(address: Address, isLastTry: boolean): Promise<readonly EarlierTransfer[] | 'unanswered' | undefined>;
}

/**
 * Reads a block. @returns undefined where it is not available yet, 'end' where it and all blocks below never will be, 'unanswered' where
 * too few hosts answer: the search then waits without a limit
 */
export type ReadSearchedBlock = (number: number) => Promise<SearchedBlock | 'end' | 'unanswered' | undefined>;

interface Walk extends SearchWant {
  next: number;
  missingWei: bigint;
  tries: number;
  readonly found: EarlierTransfer[];
}

type Progress = 'finished' | 'incomplete' | 'not_yet' | 'budget_spent';

/** Tries for a block or a receipt, one a step, before the search gives up. */
const MOST_TRIES = 20;
/** Position of an ended walk. */
const ENDED = Number.NEGATIVE_INFINITY;
/** Most remembered blocks; all addresses of a search share them. */
const BLOCKS_REMEMBERED = 1024;

/**
 * Walks back through blocks to find the payers of addresses. It works in steps of a bounded number of blocks, keeps its progress, and
 * reads each block once for all addresses. It tries an absent block again in later steps before it gives up.
 */
export class TransferSearch {
  private readonly read: ReadSearchedBlock;
  private readonly blocks = new Map<number, SearchedBlock | 'end'>();
  private walks: Walk[] = [];
  private finished: SearchResult[] = [];

  constructor(read: ReadSearchedBlock) {
    this.read = read;
  }

  get isIdle(): boolean {
    return this.walks.length === 0;
  }

  want(want: SearchWant): void {
    this.walks.push({ ...want, next: want.toBlock, missingWei: want.amountWei, tries: 0, found: [] });
  }

  /** Continues the search, and reads at most so many blocks. @throws a read's error; the next step continues from there */
  async step(mostBlocks: number): Promise<void> {
    const budget = { left: mostBlocks };
    for (const walk of this.walks) {
      const progress = await this.walk(walk, budget);
      if (progress === 'finished' || progress === 'incomplete') this.end(walk, progress === 'finished');
      if (progress === 'budget_spent') break;
    }
    this.walks = this.walks.filter(({ next }) => next !== ENDED);
    if (this.isIdle) this.blocks.clear();
  }

  /** Returns and removes the results since the last call. */
  takeFinished(): SearchResult[] {
    return this.finished.splice(0);
  }

  private async walk(walk: Walk, budget: { left: number }): Promise<Progress> {
    while (walk.next >= walk.fromBlock && walk.missingWei > 0n) {
      const block = this.blocks.get(walk.next);
      if (!block) {
        if (budget.left <= 0) return 'budget_spent';
        const unanswered = await this.readAhead(walk, budget);
        if (this.blocks.has(walk.next)) continue;
        return unanswered.has(walk.next) ? 'not_yet' : this.again(walk);
      }
      if (block === 'end' || (block.timestampMs ?? 0) < (walk.notBeforeMs ?? 0)) return 'finished';
      const isLastTry = walk.tries === MOST_TRIES - 1;
      const transfers = block.recipients.has(walk.address) ? await block.transfersTo(walk.address, isLastTry) : [];
      if (transfers === 'unanswered') {
        // The next step reads it from the hosts that answer then.
        this.blocks.delete(walk.next);
        return 'not_yet';
      }
      if (!transfers) return this.again(walk);
      for (const transfer of transfers) {
        if (walk.known?.has(transfer.transactionHash)) continue;
        // A credit of more than the missing sum belongs to another time.
        if ((transfer.from === null || walk.known) && transfer.amountWei > walk.missingWei) continue;
        walk.found.push(transfer);
        walk.missingWei -= transfer.amountWei;
      }
      walk.next -= 1;
      walk.tries = 0;
    }
    return 'finished';
  }

  /** @returns the blocks for which too few hosts answered */
  private async readAhead({ next, fromBlock }: Walk, budget: { left: number }): Promise<ReadonlySet<number>> {
    const unanswered = new Set<number>();
    const numbers: number[] = [];
    for (let number = next; number >= fromBlock && numbers.length < budget.left; number--) {
      if (!this.blocks.has(number)) numbers.push(number);
      if (next - number >= budget.left) break;
    }
    budget.left -= numbers.length;
    await Promise.all(
      numbers.map(async (number) => {
        const block = await this.read(number);
        if (block === 'unanswered') unanswered.add(number);
        else if (block) this.blocks.set(number, block);
      }),
    );
    for (const number of this.blocks.keys()) {
      if (this.blocks.size <= BLOCKS_REMEMBERED) break;
      this.blocks.delete(number);
    }
    return unanswered;
  }

  private again(walk: Walk): Progress {
    walk.tries += 1;
    return walk.tries < MOST_TRIES ? 'not_yet' : 'incomplete';
  }

  private end(walk: Walk, isComplete: boolean): void {
    walk.next = ENDED;
    this.finished.push({ address: walk.address, transfers: walk.found, isComplete });
  }
}
