import {
  type ChainClient,
  earlierTransfers,
  hostsOf,
  type RpcRequest,
  type SearchResult,
  systemTransfers,
  TransferSearch,
} from '@maker/chain';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { BACKGROUND_REQUEST, CHAIN_CLIENT, pollEveryMs } from '../chain-client.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import type { BalanceSearches, ScanState } from '../scan/scan-state.ts';
import type { Watch } from '../watch/watch.ts';

/** Blocks that a step reads after each scanned block, for all addresses together. */
const BLOCKS_A_STEP = 8;

/** Most blocks to search for payments before the watch: about a quarter of an hour. */
const MOST_BLOCKS_BACK = 1000;

/** Most blocks to search for a HyperCore credit, in one step: three times the blocks between two polls, each a small answer. */
const MOST_BLOCKS_FOR_CREDIT = 60;

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
    @Inject(CHAIN_CLIENT) private readonly client: ChainClient,
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

  /** Starts one step in parallel with the scan, unless one is running. @param found handles the results, in turn with the scan's writes */
  step(state: ScanState, found: (results: readonly SearchResult[]) => Promise<void>): void {
    const { searches } = state;
    if (!searches || searches.isRunning || (searches.earlier.isIdle && searches.credit.isIdle)) return;
    searches.isRunning = true;
    void this.run(searches)
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

  private async run({ earlier, credit }: BalanceSearches): Promise<readonly SearchResult[]> {
    const isSparing = pollEveryMs(this.configuration) !== undefined;
    try {
      await earlier.step(isSparing ? 1 : BLOCKS_A_STEP);
      await credit.step(isSparing ? 1 : MOST_BLOCKS_FOR_CREDIT);
    } catch (error) {
      this.logger.warn({ err: error }, 'payer search failed, retrying after the next block');
    }
    const results = [...earlier.takeFinished(), ...credit.takeFinished()];
    for (const { address, isComplete } of results) {
      if (!isComplete) this.logger.warn({ address }, 'payer search abandoned, a block or receipt stayed unknown');
    }
    return results;
  }

  private searchesOf(state: ScanState): BalanceSearches {
    state.searches ??= {
      earlier: new TransferSearch(
        earlierTransfers(this.request, { chainId: this.configuration.CHAIN_ID, hosts: () => hostsOf(this.client) }),
      ),
      credit: new TransferSearch(systemTransfers(this.request)),
      isRunning: false,
    };
    return state.searches;
  }
}
