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

/** Blocks that the searches read after each scanned block, for all addresses together. */
const BLOCKS_A_STEP = 8;

/** Most blocks that are searched for who paid before the watch existed: about a quarter of an hour. */
const MOST_BLOCKS_BACK = 1000;

/** Most blocks that are searched for a credit from HyperCore, in one step: three times as many as lie between two polls, each a small answer. */
const MOST_BLOCKS_FOR_CREDIT = 60;

/** The chain's clock may be behind the server's that created the job. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Searches earlier blocks for who paid: beside the scan, with a budget of its own, and each block once for all addresses.
 * Strangers cause these searches, so that no payment waits for one. Source: docs/adr/0052.
 */
@Injectable()
export class SearchTransfersService {
  constructor(
    @Inject(BACKGROUND_REQUEST) private readonly request: RpcRequest,
    @Inject(CHAIN_CLIENT) private readonly client: ChainClient,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Searches for plain transfers from before the address was watched. @param scannedFromBlock of the watch */
  wantEarlier(state: ScanState, { address, createdAtMs }: Watch, scannedFromBlock: number, amountWei: bigint): void {
    this.searchesOf(state).earlier.want({
      address,
      amountWei,
      fromBlock: Math.max(scannedFromBlock - MOST_BLOCKS_BACK, 0),
      toBlock: scannedFromBlock - 1,
      notBeforeMs: createdAtMs - CLOCK_TOLERANCE_MS,
    });
  }

  /** Searches for a credit from HyperCore since the last reading of the balance. */
  wantCredit(state: ScanState, { address, readAtBlock }: Watch, toBlock: number, amountWei: bigint): void {
    const fromBlock = Math.max((readAtBlock ?? 0) + 1, toBlock - MOST_BLOCKS_FOR_CREDIT + 1);
    this.searchesOf(state).credit.want({ address, amountWei, fromBlock, toBlock });
  }

  /** Takes a step beside the scan, one at a time. @param found takes what it finds, once the scan may write nothing else */
  step(state: ScanState, found: (results: readonly SearchResult[]) => Promise<void>): void {
    const { searches } = state;
    if (!searches || searches.isRunning || (searches.earlier.isIdle && searches.credit.isIdle)) return;
    searches.isRunning = true;
    void this.run(searches)
      .then(async (results) => {
        // A reorganisation has forgotten these searches meanwhile.
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
