import {
  BalanceReader,
  type BlockPointer,
  findPlainTransfer,
  Hosts,
  networkOf,
  type RpcRequest,
  readPointer,
} from '@maker/chain';
import { paymentReceived } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { isDust } from '@maker/rules';
import { inSpan, Logger, type Origin } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import { CHAIN_REQUEST } from '../chain-client.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import { type Deposit, depositOfTransfer } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { logDeposit } from '../deposit/log-deposit.ts';
import { PublishSeenService } from '../deposit/publish-seen.service.ts';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import { SearchTransfersService } from '../search-transfers/search-transfers.service.ts';
import type { Watch } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { ConfirmRisesService } from './confirm-rises.service.ts';
import { depositEvent } from './deposit-event.ts';
import { type Recheck, recheckRise } from './recheck-deposit.ts';

/** Most deposits that are credited after one block. */
const MOST_PER_BLOCK = 100;

/**
 * Credits each deposit once: a transfer when its block is confirmed, a rise of a balance when a second reading finds it again. The job
 * service believes a credit only with maker-executor's proof, so that no host is asked about a transfer here. Source: docs/adr/0118, 0170.
 */
@Injectable()
export class CreditDepositService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly deposits: DepositsRepository,
    private readonly seen: PublishSeenService,
    private readonly watches: WatchesRepository,
    private readonly outbox: Outbox,
    private readonly confirmations: ConfirmRisesService,
    private readonly reader: BalanceReader,
    private readonly searches: SearchTransfersService,
    private readonly metrics: PaymentWatcherMetrics,
    private readonly hosts: Hosts,
    @Inject(CHAIN_REQUEST) private readonly request: RpcRequest,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Credits payments. Called after each scanned block. */
  async afterBlock(state: ScanState, block: BlockPointer): Promise<void> {
    const due = await this.withoutDisplaced(await this.payments(state, block));
    if (due.length === 0) return;
    const watches = await this.watches.findMany(due.map(({ address }) => address));
    const rechecks = await this.recheck(state, due, watches, block);
    const transfers = await this.transfersBehind(state, rechecks, watches);
    const origins = new Map([...watches].map(([address, { origin = {} }]) => [address, origin]));
    const verdict = (wanted: Recheck) => due.filter((deposit) => rechecks.get(deposit) === wanted);
    const credited = await this.writes.run(state, async (session) => {
      for (const deposit of verdict('drop')) {
        await this.deposits.dropSeen(deposit, session);
        await this.deposits.insertSeen(transfers.get(deposit) ?? [], session);
        await this.seen.publish(new Set([deposit.address]), session);
      }
      return this.credit(verdict('credit'), origins, block, session);
    });
    for (const [{ depositId, address }, recheck] of rechecks) {
      if (recheck === 'wait') continue;
      state.confirming.delete(depositId);
      if (state.riseSearches.get(address)?.depositId === depositId) state.riseSearches.delete(address);
    }
    for (const deposit of credited) {
      const { address, kind, amountWei, blockNumber } = deposit;
      this.metrics.credited(kind, amountWei, blockNumber);
      logDeposit(this.logger, deposit, watches.get(address), blockNumber, 'payment credited');
    }
    for (const [deposit, recheck] of rechecks) {
      const { depositId, jobId, address } = deposit;
      // The next reading finds money beyond the transfer.
      if (transfers.has(deposit)) state.toRead.add(address);
      else if (recheck !== 'credit' && !state.confirming.has(depositId))
        this.logger.warn({ jobId, depositId, recheck }, 'payment not found again');
    }
  }

  /** Returns confirmed payments; a block that its network never takes back needs no confirmation. Source: docs/adr/0170. */
  private async payments(state: ScanState, block: BlockPointer): Promise<readonly Deposit[]> {
    const { CHAIN_ID, CHAIN_CONFIRMATIONS } = this.configuration;
    const confirmedNumber = block.number - CHAIN_CONFIRMATIONS;
    const isFinal = networkOf(CHAIN_ID).isFinalOnceCommitted && CHAIN_CONFIRMATIONS === 1;
    // Contradicted deposits and rises with a running search pause here, or they would fill every batch.
    const searched = [...state.riseSearches.values()].flatMap((one) => (one.transfers ? [] : [one.depositId]));
    const resting = [...this.confirmations.resting(state, block.number), ...searched];
    const waiting = await this.deposits.uncredited(isFinal ? block.number : confirmedNumber, MOST_PER_BLOCK, resting);
    // A balance rise has no known block: only a second reading can confirm it.
    return waiting.filter(({ seenAtBlock, blockHash }) => seenAtBlock <= confirmedNumber || blockHash !== undefined);
  }

  /**
   * Finds the plain transfers behind rises: no host proved them when their block was scanned, or the host of the scan left them out.
   * Such a transfer has a sender and replaces the rise. The rise waits until enough hosts have answered. Source: docs/adr/0150.
   * @param rechecks updated in place
   */
  private async transfersBehind(
    state: ScanState,
    rechecks: Map<Deposit, Recheck>,
    watches: ReadonlyMap<Address, Watch>,
  ): Promise<ReadonlyMap<Deposit, readonly Deposit[]>> {
    const behind = new Map<Deposit, readonly Deposit[]>();
    const rises = [...rechecks].flatMap(([deposit, recheck]) =>
      recheck === 'credit' && deposit.blockHash === undefined && !isDust(deposit.amountWei) ? [deposit] : [],
    );
    await Promise.all(
      rises.map(async (rise) => {
        const watch = watches.get(rise.address);
        if (!watch) return;
        const transfers = await this.transfersOf(state, rise, watch);
        if (transfers === 'waiting') rechecks.set(rise, 'wait');
        else if (transfers.length > 0) {
          behind.set(rise, transfers);
          rechecks.set(rise, 'drop');
        }
      }),
    );
    return behind;
  }

  /** The transfers behind a rise: by the transaction that named the address, or by a search of every host. */
  private async transfersOf(state: ScanState, rise: Deposit, watch: Watch): Promise<readonly Deposit[] | 'waiting'> {
    const search = state.riseSearches.get(rise.address);
    if (search && (search.depositId !== rise.depositId || !search.transfers)) return 'waiting';
    if (search?.transfers) return search.transfers.map((one) => depositOfTransfer(watch, one, one.block));
    const named = await this.transferNaming(rise, watch);
    if (typeof named === 'object') return [named];
    if (await this.searches.wantOnEveryHost(state, watch, rise)) return 'waiting';
    return named === 'unanswered' ? 'waiting' : [];
  }

  private async transferNaming(rise: Deposit, watch: Watch): Promise<Deposit | 'none' | 'unanswered'> {
    const { CHAIN_ID: chainId } = this.configuration;
    const { address: to, transactionHash, amountWei } = rise;
    if (rise.kind !== 'internal' || transactionHash === undefined) return 'none';
    const transfer = await findPlainTransfer(this.hosts, { transactionHash, to, chainId });
    if (typeof transfer === 'string') return transfer;
    if (transfer.amountWei > amountWei) return 'none';
    const block = await readPointer(this.request, rise.blockNumber);
    return block ? depositOfTransfer(watch, transfer, block) : 'unanswered';
  }

  /**
   * Credits deposits in one batch, because strangers choose their number.
   * @param origins trace origins of the jobs: later work can be traced back to the request that created the job
   * @returns those that were not credited before
   */
  private async credit(
    deposits: readonly Deposit[],
    origins: ReadonlyMap<Address, Origin>,
    block: BlockPointer,
    session: ClientSession,
  ): Promise<Deposit[]> {
    if (deposits.length === 0) return [];
    const ids = deposits.map(({ depositId }) => depositId);
    const marked = await this.deposits.markCredited(ids, block.number, session);
    const credited = deposits.filter(({ depositId }) => marked.has(depositId));
    const events = credited.map((deposit) => {
      const { jobId, address } = deposit;
      const traced = { origin: origins.get(address) ?? {}, attributes: { 'maker.job.id': jobId } };
      const event = { jobId, data: depositEvent(deposit) };
      return inSpan('credit payment', traced, async () => this.outbox.prepare(paymentReceived, event));
    });
    await this.outbox.insert(await Promise.all(events), session);
    return credited;
  }

  /** Leaves out new deposits of addresses with an undecided displaced one, or a balance could count twice for a while. */
  private async withoutDisplaced(due: readonly Deposit[]): Promise<Deposit[]> {
    const undecided = await this.deposits.addressesWithUndecided(
      due.map(({ address }) => address),
      ['displaced'],
    );
    return due.filter(({ address, occurrence }) => occurrence > 1 || !undecided.has(address));
  }

  private async recheck(
    state: ScanState,
    due: readonly Deposit[],
    watches: ReadonlyMap<Address, Watch>,
    scanned: BlockPointer,
  ): Promise<Map<Deposit, Recheck>> {
    // The scan itself notices if another block replaces a transfer's.
    const transfers = due.filter(({ blockHash }) => blockHash !== undefined);
    const rechecks = new Map<Deposit, Recheck>(transfers.map((deposit) => [deposit, 'credit']));
    const rises = due.filter(({ blockHash }) => blockHash === undefined);
    if (rises.length > 0) await this.recheckRises(state, rises, rechecks, watches, scanned);
    return rechecks;
  }

  /** Rechecks balance rises. A rise that is still there is credited once a second host shows it. */
  private async recheckRises(
    state: ScanState,
    rises: readonly Deposit[],
    rechecks: Map<Deposit, Recheck>,
    watches: ReadonlyMap<Address, Watch>,
    scanned: BlockPointer,
  ): Promise<void> {
    const addresses = [...new Set(rises.map(({ address }) => address))];
    const readings = await this.reader.read(addresses);
    const standing = new Map<Deposit, bigint>();
    for (const rise of rises) {
      const reading = readings.find((candidate) => candidate.addresses.includes(rise.address));
      if (!reading) continue;
      const knownWei = (await this.deposits.sumsUpTo(reading.blockNumber, [rise.address])).get(rise.address) ?? 0n;
      const watch = watches.get(rise.address);
      const { CHAIN_CONFIRMATIONS } = this.configuration;
      const recheck = recheckRise(rise, reading, knownWei, watch, CHAIN_CONFIRMATIONS, scanned.number);
      rechecks.set(rise, recheck);
      if (recheck === 'credit') standing.set(rise, knownWei);
    }
    const confirmed = await this.confirmations.confirmed(state, standing, scanned.number);
    for (const rise of standing.keys()) if (!confirmed.has(rise)) rechecks.set(rise, 'wait');
  }
}
