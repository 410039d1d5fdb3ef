import {
  earlierTransfers,
  Hosts,
  type RpcRequest,
  type SearchResult,
  systemTransfers,
  TransferSearch,
  transfersOnAnyHost,
} from '@maker/chain';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { BACKGROUND_REQUEST, pollEveryMs } from '../chain-client.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import type { Deposit } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import type { BalanceSearches, ScanState } from '../scan/scan-state.ts';
import type { Watch } from '../watch/watch.ts';

/** Blocks that a step reads after each scanned block, for all addresses together. */
const BLOCKS_A_STEP = 8;

/** The same for rises: no reading of zero is saved between two polls, so the range may reach back to the first reading. */
const BLOCKS_OF_RISES_A_STEP = 32;

/** Most blocks to search for payments before the watch: about a quarter of an hour. */
const MOST_BLOCKS_BACK = 1000;

/** Most blocks to search for a HyperCore credit, in one step: three times the blocks between two polls, each a small answer. */
const MOST_BLOCKS_FOR_CREDIT = 60;

/** Blocks before the last reading that a search on every host reads too: the host of that reading may have lagged. */
const BLOCKS_OF_LAG = 8;

/** How far the chain's clock may be behind the clock of the server that created the job, ms. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Searches earlier blocks for payers, in parallel with the scan and with a separate budget. It reads each block once for all addresses.
 * Strangers can cause these searches, so no payment waits for one. Source: docs/adr/0052.
 */
@Injectable()
export class SearchTransfersService {
  constructor(
    @Inject(BACKGROUND_REQUEST) private readonly request: RpcRequest,
    private readonly hosts: Hosts,
    private readonly deposits: DepositsRepository,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Queues a search for plain transfers from before the watch. @param scannedFromBlock of the watch */
  wantEarlier(state: ScanState, { address, createdAtMs }: Watch, scannedFromBlock: number, amountWei: bigint): void {
    this.searchesOf(state).earlier.want({
      address,
      amountWei,
      fromBlock: Math.max(scannedFromBlock - MOST_BLOCKS_BACK, 0),
      toBlock: scannedFromBlock - 1,
      notBeforeMs: createdAtMs - CLOCK_TOLERANCE_MS,
    });
  }

  /** Queues a search for a HyperCore credit since the last reading of the balance. */
  wantCredit(state: ScanState, { address, readAtBlock }: Watch, toBlock: number, amountWei: bigint): void {
    const fromBlock = Math.max((readAtBlock ?? 0) + 1, toBlock - MOST_BLOCKS_FOR_CREDIT + 1);
    this.searchesOf(state).credit.want({ address, amountWei, fromBlock, toBlock });
  }

  /**
   * Queues a search of every host for the transfers behind a rise: one host may have left out a transaction of a block.
   * @returns false with a single host, which has nothing to add
   */
  async wantOnEveryHost(state: ScanState, watch: Watch, rise: Deposit): Promise<boolean> {
    if (this.hosts.count < 2) return false;
    const { address, depositId, amountWei, seenAtBlock: toBlock } = rise;
    const sinceBlock = rise.sinceBlock ?? (watch.scannedFromBlock ?? toBlock) - MOST_BLOCKS_BACK;
    const fromBlock = Math.max(sinceBlock - BLOCKS_OF_LAG, 0);
    // Not the rise's own: the transaction that named the address may be the transfer.
    const known = await this.deposits.otherTransactions(rise, fromBlock);
    const notBeforeMs = watch.createdAtMs - CLOCK_TOLERANCE_MS;
    state.riseSearches.set(address, { depositId });
    this.searchesOf(state).everyHost.want({ address, amountWei, fromBlock, toBlock, notBeforeMs, known });
    return true;
  }

  /** Starts one step in parallel with the scan, unless one is running. @param found handles the results, in turn with the scan's writes */
  step(state: ScanState, found: (results: readonly SearchResult[]) => Promise<void>): void {
    const { searches } = state;
    if (!searches || searches.isRunning) return;
    if (searches.earlier.isIdle && searches.credit.isIdle && searches.everyHost.isIdle) return;
    searches.isRunning = true;
    void this.run(state, searches)
      .then(async (results) => {
        // A reorganisation may have discarded these searches meanwhile.
        if (results.length > 0 && state.searches === searches) await found(results);
      })
      .catch((error: unknown) => {
        state.failure ??= error;
      })
      .finally(() => {
        searches.isRunning = false;
      });
  }

  private async run(state: ScanState, searches: BalanceSearches): Promise<readonly SearchResult[]> {
    const { earlier, credit, everyHost } = searches;
    const isSparing = pollEveryMs(this.configuration) !== undefined;
    try {
      await earlier.step(isSparing ? 1 : BLOCKS_A_STEP);
      await credit.step(isSparing ? 1 : MOST_BLOCKS_FOR_CREDIT);
      await everyHost.step(isSparing ? 1 : BLOCKS_OF_RISES_A_STEP);
    } catch (error) {
      this.logger.warn({ err: error }, 'payer search failed, retrying after the next block');
    }
    const results = [...earlier.takeFinished(), ...credit.takeFinished()];
    const ofRises = everyHost.takeFinished();
    for (const { address, transfers } of ofRises) {
      const search = state.searches === searches && state.riseSearches.get(address);
      if (search) state.riseSearches.set(address, { ...search, transfers });
    }
    for (const { address, isComplete } of [...results, ...ofRises]) {
      if (!isComplete) this.logger.warn({ address }, 'payer search abandoned, a block or receipt stayed unknown');
    }
    return results;
  }

  private searchesOf(state: ScanState): BalanceSearches {
    state.searches ??= {
      earlier: new TransferSearch(
        earlierTransfers(this.request, { chainId: this.configuration.CHAIN_ID, hosts: () => this.hosts.inUse() }),
      ),
      credit: new TransferSearch(systemTransfers(this.request)),
      everyHost: new TransferSearch(
        transfersOnAnyHost({
          hosts: () => this.hosts.inUse(),
          enough: this.hosts.enough,
          chainId: this.configuration.CHAIN_ID,
        }),
      ),
      isRunning: false,
    };
    return state.searches;
  }
}
