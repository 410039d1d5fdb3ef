import type { BalanceReading, RpcRequest, SearchResult } from '@maker/chain';
import { isDust } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { CHAIN_REQUEST } from '../chain-client.ts';
import { ChainClockService } from '../chain-clock/chain-clock.service.ts';
import { type Deposit, depositOfTransfer, sumOf } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { type DustFact, DustRepository } from '../deposit/dust.repository.ts';
import { logDeposit } from '../deposit/log-deposit.ts';
import { PublishSeenService } from '../deposit/publish-seen.service.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { BalanceFact, ScanState, SearchedBalance } from '../scan/scan-state.ts';
import { SearchTransfersService } from '../search-transfers/search-transfers.service.ts';
import type { Watch } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { depositOfSurplus, explainBalance, mayBeCredit } from './explain-balance.ts';

/** Most nonces that are read for one reading after missed blocks. The other wallets are read again later. */
const MOST_NONCES = 16;

/** The facts to write about some balances. */
interface Explained {
  readonly found: Deposit[];
  readonly dust: DustFact[];
  /** Addresses whose earlier blocks were searched. */
  readonly searchedBack: Address[];
  readonly spending: Address[];
}

const nothing = (): Explained => ({ found: [], dust: [], searchedBack: [], spending: [] });

/** Turns balances into deposits: the surplus over the known deposits is a deposit that no block showed. */
@Injectable()
export class ExplainBalanceService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly dust: DustRepository,
    private readonly seen: PublishSeenService,
    private readonly clock: ChainClockService,
    private readonly search: SearchTransfersService,
    @Inject(CHAIN_REQUEST) private readonly request: RpcRequest,
    private readonly logger: Logger,
  ) {}

  /** Explains a reading of a scanned block. Balances that need a search are explained after it. */
  async explain(state: ScanState, raw: BalanceReading): Promise<void> {
    const reading = this.clock.withBlockTime(state, raw);
    const funded = [...reading.balances.keys()];
    const watches = await this.watches.findMany(funded);
    const known = await this.deposits.sumsUpTo(reading.blockNumber, funded);
    // The block of dust is unknown. If dust arrived after the reading, only a surplus above dust is read again.
    const isDustNewer = await this.dust.newerThan(reading.blockNumber, funded);
    const explained = nothing();
    const deferred = new Set<Address>();
    let nonces = 0;
    for (const [address, balanceWei] of reading.balances) {
      const watch = watches.get(address);
      if (!watch) continue;
      if (state.searched.has(address)) {
        deferred.add(address);
        continue;
      }
      const fact = { balanceWei, blockNumber: reading.blockNumber, timestampMs: reading.timestampMs };
      const surplusWei = this.surplusOf(watch, fact, known.get(address) ?? 0n);
      if (surplusWei === 0n) continue;
      if (isDustNewer.has(address)) {
        // Dust in every block must not prevent a reading, or the deadline would never pass.
        if (isDust(surplusWei)) continue;
        deferred.add(address);
        state.toRead.add(address);
        continue;
      }
      if ((watch.scannedFromBlock ?? 0) <= state.lastMissedBlock) {
        nonces += 1;
        if (nonces > MOST_NONCES) {
          deferred.add(address);
          state.toRead.add(address);
          continue;
        }
        if (await this.hasSpent(watch)) {
          explained.spending.push(address);
          continue;
        }
      }
      if (this.needsSearch(state, watch, fact, surplusWei)) deferred.add(address);
      else sortOut(depositOfSurplus(watch, fact, surplusWei), explained);
    }
    const changed = reading.addresses.filter(
      (address) => !deferred.has(address) && (reading.balances.has(address) || !state.settled.has(address)),
    );
    // Records readings of zero too.
    if (changed.length > 0) await this.write(state, explained, changed, reading, watches);
  }

  /** Explains the balances whose search is finished. */
  async afterSearch(state: ScanState, results: readonly SearchResult[]): Promise<void> {
    if (results.length === 0) return;
    const watches = await this.watches.findMany(results.map(({ address }) => address));
    const byBlock = Map.groupBy(results, ({ address }) => state.searched.get(address)?.blockNumber);
    for (const [blockNumber, some] of byBlock) {
      if (blockNumber === undefined) continue;
      const addresses = some.map(({ address }) => address);
      // Includes all dust, so that none counts twice. The next reading finds any money that this hides.
      const known = await this.deposits.sumsUpTo(blockNumber, addresses, Number.MAX_SAFE_INTEGER);
      const explained = nothing();
      const done: Address[] = [];
      let reading: SearchedBalance | undefined;
      for (const { address, transfers } of some) {
        const watch = watches.get(address);
        const fact = state.searched.get(address);
        state.searched.delete(address);
        if (!watch || !fact) continue;
        reading = fact;
        // The next reading finds money that arrived meanwhile.
        state.toRead.add(address);
        const found = transfers.map((transfer) => depositOfTransfer(watch, transfer, transfer.block));
        explained.found.push(...found);
        if (fact.search === 'earlier') explained.searchedBack.push(address);
        const surplusWei = this.surplusOf(watch, fact, (known.get(address) ?? 0n) + sumOf(found));
        const afterwards = { ...watch, searchedBack: true };
        if (fact.search === 'earlier' && this.needsSearch(state, afterwards, fact, surplusWei)) continue;
        if (surplusWei > 0n) sortOut(depositOfSurplus(watch, fact, surplusWei), explained);
        done.push(address);
      }
      if (reading) await this.write(state, explained, done, reading, watches);
    }
  }

  /** Returns the balance above the known deposits, wei; 0 if there is no surplus, or the wallet spends. */
  private surplusOf(watch: Watch, fact: BalanceFact, knownWei: bigint): bigint {
    const explanation = explainBalance(watch, fact, knownWei);
    if (explanation.kind === 'shortfall' && !isDust(explanation.missingWei)) {
      const missingWei = explanation.missingWei.toString();
      this.logger.error({ jobId: watch.jobId, missingWei }, 'wallet balance below its seen deposits');
    }
    return explanation.kind === 'surplus' ? explanation.surplusWei : 0n;
  }

  /** Starts a search for the sender if there may be one. Dust is not worth a request. @returns whether a search started */
  private needsSearch(state: ScanState, watch: Watch, fact: BalanceFact, surplusWei: bigint): boolean {
    if (isDust(surplusWei)) return false;
    const { address, scannedFromBlock, readAtBlock } = watch;
    // An earlier reading proves that the money is newer. A lagging node reads the block before the first scanned one.
    const isRead = scannedFromBlock === null || (readAtBlock !== null && readAtBlock >= scannedFromBlock - 1);
    if (!watch.searchedBack && !isRead) {
      this.search.wantEarlier(state, watch, scannedFromBlock, surplusWei);
      state.searched.set(address, { ...fact, search: 'earlier' });
      return true;
    }
    if (!mayBeCredit(watch, surplusWei, fact.blockNumber)) return false;
    this.search.wantCredit(state, watch, fact.blockNumber, surplusWei);
    state.searched.set(address, { ...fact, search: 'credit' });
    return true;
  }

  private async write(
    state: ScanState,
    { found, dust, searchedBack, spending }: Explained,
    read: readonly Address[],
    reading: { readonly blockNumber: number; readonly timestampMs: number },
    watches: ReadonlyMap<Address, Watch>,
  ): Promise<void> {
    await this.writes.run(state, async (session) => {
      const seen = [...found, ...(await this.dust.add(dust, reading.blockNumber, session))];
      await this.seen.publish(await this.deposits.insertSeen(seen, session), session);
      await this.watches.markSearchedBack(searchedBack, session);
      await this.watches.markSpending(spending, reading.blockNumber, session);
      await this.watches.markBalanceRead(read, reading, session);
    });
    for (const address of spending) {
      const jobId = watches.get(address)?.jobId;
      this.logger.error({ jobId }, 'wallet spent in missed blocks, its balance is no longer explained');
    }
    for (const deposit of found) {
      const watch = watches.get(deposit.address);
      logDeposit(this.logger, deposit, watch, reading.blockNumber, 'payment seen by balance');
    }
  }

  /** Reads whether a wallet has sent anything: the scan cannot know it of missed blocks. */
  private async hasSpent({ address }: Watch): Promise<boolean> {
    const sent = await this.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] });
    return Number(sent) > 0;
  }
}

function sortOut(deposit: Deposit, { found, dust }: Explained): void {
  if (isDust(deposit.amountWei)) dust.push(deposit);
  else found.push(deposit);
}
