import { type BalanceReading, findEarlierTransfers, findSystemTransfers, type RpcRequest } from '@maker/chain';
import { Logger, runWithRequestId } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { CHAIN_REQUEST } from '../chain-client.ts';
import { type Deposit, depositOfTransfer, sumOf } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { TellSeenService } from '../deposit/tell-seen.service.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import type { Watch } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { depositOfSurplus, explainBalance, mayBeCredit } from './explain-balance.ts';

/** Most blocks that are searched for who paid before the watch existed: about a quarter of an hour. */
const MOST_BLOCKS_BACK = 1000;

/** Most blocks that are searched for a credit from HyperCore, each by a request: three times as many as lie between two polls. */
const MOST_BLOCKS_FOR_CREDIT = 60;

/** The chain's clock may be behind the server's that created the job. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Turns balances into deposits: whatever is more than the known deposits is one that no block has shown. */
@Injectable()
export class ExplainBalanceService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly seen: TellSeenService,
    @Inject(CHAIN_REQUEST) private readonly request: RpcRequest,
    private readonly logger: Logger,
  ) {}

  /** Explains a reading of a block that has been scanned. */
  async explain(state: ScanState, reading: BalanceReading): Promise<void> {
    const funded = [...reading.balances.keys()];
    const watches = await this.watches.findMany(funded);
    const known = await this.deposits.sumsUpTo(reading.blockNumber, funded);
    const found: Deposit[] = [];
    const unexplained = new Map<Watch, bigint>();
    const searched: Address[] = [];
    const spending: Address[] = [];
    for (const [address, balanceWei] of reading.balances) {
      const watch = watches.get(address);
      if (!watch) continue;
      const fact = { balanceWei, blockNumber: reading.blockNumber, timestampMs: reading.timestampMs };
      const explanation = explainBalance(watch, fact, known.get(address) ?? 0n);
      if (explanation.kind === 'shortfall') {
        const missingWei = explanation.missingWei.toString();
        this.logger.error({ jobId: watch.jobId, missingWei }, 'a wallet holds less than what was seen to arrive');
      }
      if (explanation.kind !== 'surplus') continue;
      if (await this.mayHaveSpentUnseen(state, watch)) {
        spending.push(address);
        this.logger.error(
          { jobId: watch.jobId },
          'a wallet spent in blocks that were missed; its balance tells no more',
        );
        continue;
      }
      const earlier = await this.searchBack(watch, explanation.surplusWei);
      if (!watch.searchedBack) searched.push(address);
      found.push(...earlier);
      const restWei = explanation.surplusWei - sumOf(earlier);
      if (restWei > 0n) unexplained.set(watch, restWei);
    }
    const credits = await this.searchCredits(unexplained, reading.blockNumber);
    found.push(...credits);
    for (const [watch, surplusWei] of unexplained) {
      const restWei = surplusWei - sumOf(credits.filter(({ address }) => address === watch.address));
      const fact = { ...reading, balanceWei: reading.balances.get(watch.address) ?? 0n };
      if (restWei > 0n) found.push(depositOfSurplus(watch, fact, restWei));
    }
    const changed = reading.addresses.filter((address) => reading.balances.has(address) || !state.settled.has(address));
    // Nothing was found at addresses without money either.
    if (changed.length === 0) return;
    await this.writes.run(state.lease, async (session) => {
      await this.seen.tell(await this.deposits.insertSeen(found, session), session);
      for (const address of searched) await this.watches.markSearchedBack(address, session);
      await this.watches.markSpending(spending, reading.blockNumber, session);
      await this.watches.markBalanceRead(changed, reading, session);
    });
    for (const { depositId, jobId, kind, amountWei, address } of found) {
      runWithRequestId(watches.get(address)?.origin?.requestId, () =>
        this.logger.info(
          { jobId, depositId, kind, amountWei, block: reading.blockNumber },
          'a payment is seen by balance',
        ),
      );
    }
  }

  /** Who paid before the address was watched, so that the sender of a plain transfer is known. */
  private async searchBack(watch: Watch, amountWei: bigint): Promise<Deposit[]> {
    if (watch.searchedBack || watch.scannedFromBlock === null) return [];
    const transfers = await findEarlierTransfers(this.request, {
      address: watch.address,
      toBlock: watch.scannedFromBlock - 1,
      notBeforeMs: watch.createdAtMs - CLOCK_TOLERANCE_MS,
      mostBlocks: MOST_BLOCKS_BACK,
      amountWei,
    });
    return transfers.map((transfer) => depositOfTransfer(watch, transfer, transfer.block));
  }

  /** Which of this came from HyperCore, by what transaction, and so exactly when. */
  private async searchCredits(unexplained: ReadonlyMap<Watch, bigint>, toBlock: number): Promise<Deposit[]> {
    const candidates = [...unexplained].filter(([watch, wei]) => mayBeCredit(watch, wei, toBlock));
    if (candidates.length === 0) return [];
    const oldest = Math.min(...candidates.map(([{ lookedAtBlock }]) => (lookedAtBlock ?? 0) + 1));
    const transfers = await findSystemTransfers(this.request, {
      wanted: new Map(candidates.map(([{ address }, wei]) => [address, wei])),
      fromBlock: Math.max(oldest, toBlock - MOST_BLOCKS_FOR_CREDIT + 1),
      toBlock,
    });
    const watches = new Map(candidates.map(([watch]) => [watch.address, watch]));
    return transfers.flatMap((transfer) => {
      const watch = watches.get(transfer.to);
      return watch ? [depositOfTransfer(watch, transfer, transfer.block)] : [];
    });
  }

  /** The scan sees what a wallet sends, but for blocks that it missed. */
  private async mayHaveSpentUnseen(state: ScanState, watch: Watch): Promise<boolean> {
    if ((watch.scannedFromBlock ?? 0) > state.lastMissedBlock) return false;
    const sent = await this.request({ method: 'eth_getTransactionCount', params: [watch.address, 'latest'] });
    return Number(sent) > 0;
  }
}
