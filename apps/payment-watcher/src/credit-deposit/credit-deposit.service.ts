import {
  agreeOnBlock,
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
import { isDust, isInTime } from '@maker/rules';
import { inSpan, Logger, type Origin } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import { CHAIN_REQUEST } from '../chain-client.ts';
import { ChainClockService } from '../chain-clock/chain-clock.service.ts';
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
import { ConfirmDepositService } from './confirm-deposit.service.ts';
import { depositEvent } from './deposit-event.ts';
import type { PayerVerdict } from './judge-payer.ts';
import { type Recheck, recheckRise, recheckTransfer } from './recheck-deposit.ts';

/** Most deposits that are credited after one block. */
const MOST_PER_BLOCK = 100;

/** Facts about deposits that are collected before their credit. */
interface Known {
  readonly payers: ReadonlyMap<Deposit, PayerVerdict>;
  /** Corrected, earlier block times, ms, by deposit. */
  readonly times: ReadonlyMap<string, number>;
  /** Trace origins of the jobs: later work can be traced back to the request that created the job. */
  readonly origins: ReadonlyMap<Address, Origin>;
}

/** Credits each deposit once, when it is confirmed and a recheck finds it again. Source: design § 4. */
@Injectable()
export class CreditDepositService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly deposits: DepositsRepository,
    private readonly seen: PublishSeenService,
    private readonly watches: WatchesRepository,
    private readonly outbox: Outbox,
    private readonly chainClock: ChainClockService,
    private readonly confirmations: ConfirmDepositService,
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
    const payers = await this.confirmPayers(state, rechecks, block.number);
    const origins = new Map([...watches].map(([address, { origin = {} }]) => [address, origin]));
    const late = due.filter((deposit) => rechecks.get(deposit) === 'credit' && isLate(deposit, watches));
    const times = await this.times(late);
    const verdict = (wanted: Recheck) => due.filter((deposit) => rechecks.get(deposit) === wanted);
    const credited = await this.writes.run(state, async (session) => {
      for (const deposit of verdict('drop')) {
        await this.deposits.dropSeen(deposit, session);
        await this.deposits.insertSeen(transfers.get(deposit) ?? [], session);
        await this.seen.publish(new Set([deposit.address]), session);
      }
      await this.deposits.correctTimes(times, session);
      return this.credit(verdict('credit'), { payers, times, origins }, block, session);
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

  /** Returns confirmed payments, and those in a block that two endpoints have: it needs no confirmation. Source: docs/adr/0036. */
  private async payments(state: ScanState, block: BlockPointer): Promise<readonly Deposit[]> {
    const { CHAIN_ID, CHAIN_CONFIRMATIONS } = this.configuration;
    const confirmedNumber = block.number - CHAIN_CONFIRMATIONS;
    const mayBeEarly = networkOf(CHAIN_ID).isFinalOnceCommitted && CHAIN_CONFIRMATIONS === 1;
    // Contradicted deposits and rises with a running search pause here, or they would fill every batch.
    const searched = [...state.riseSearches.values()].flatMap((one) => (one.transfers ? [] : [one.depositId]));
    const resting = [...this.confirmations.resting(state, block.number), ...searched];
    const upTo = mayBeEarly ? block.number : confirmedNumber;
    const waiting = await this.deposits.uncredited(upTo, MOST_PER_BLOCK, resting);
    const confirmed = waiting.filter(({ seenAtBlock }) => seenAtBlock <= confirmedNumber);
    // A balance rise has no known block: only a second reading can confirm it.
    const early = waiting.filter(
      ({ seenAtBlock, blockHash }) => seenAtBlock > confirmedNumber && blockHash !== undefined,
    );
    const isEarlyFinal = early.length > 0 && (await agreeOnBlock(this.hosts, block.number, block.hash));
    return isEarlyFinal ? [...confirmed, ...early] : confirmed;
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

  /** Confirms which senders count as payers. An undecided deposit waits. @param rechecks updated in place */
  private async confirmPayers(
    state: ScanState,
    rechecks: Map<Deposit, Recheck>,
    blockNumber: number,
  ): Promise<ReadonlyMap<Deposit, PayerVerdict>> {
    const transfers = [...rechecks].flatMap(([deposit, recheck]) =>
      recheck === 'credit' && deposit.kind === 'transfer' ? [deposit] : [],
    );
    const payers = await this.confirmations.confirmTransfers(state, transfers, blockNumber);
    for (const [deposit, payer] of payers) if (payer === 'wait') rechecks.set(deposit, 'wait');
    return payers;
  }

  /** Returns earlier times that a host reports for late deposits, ms, by deposit: one host alone makes no payment late. */
  private async times(late: readonly Deposit[]): Promise<ReadonlyMap<string, number>> {
    const earlier = new Map<string, number>();
    for (const [, some] of Map.groupBy(late, ({ blockNumber }) => blockNumber)) {
      const [{ blockNumber: number, blockHash: hash, blockAtMs: timestampMs }] = some as [Deposit];
      if (hash === undefined) continue;
      const atMs = await this.chainClock.earliestTimeOf({ number, hash, timestampMs });
      for (const { depositId, blockAtMs } of some) if (atMs < blockAtMs) earlier.set(depositId, atMs);
    }
    return earlier;
  }

  /** Credits deposits in one batch, because strangers choose their number. @returns those that were not credited before */
  private async credit(
    deposits: readonly Deposit[],
    { payers, times, origins }: Known,
    block: BlockPointer,
    session: ClientSession,
  ): Promise<Deposit[]> {
    if (deposits.length === 0) return [];
    const ids = deposits.map(({ depositId }) => depositId);
    const marked = await this.deposits.markCredited(ids, block.number, session);
    const withoutPayer = new Set(deposits.filter((deposit) => payers.get(deposit) === 'credit_without_payer'));
    await this.deposits.forgetPayers(
      [...withoutPayer].map(({ depositId }) => depositId),
      session,
    );
    const credited = deposits
      .filter(({ depositId }) => marked.has(depositId))
      .map((deposit) => {
        const { from: _, ...rest } = deposit;
        const known = withoutPayer.has(deposit) ? rest : deposit;
        return { ...known, blockAtMs: times.get(deposit.depositId) ?? deposit.blockAtMs };
      });
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
    const rechecks = new Map<Deposit, Recheck>();
    const transfers = due.filter(({ blockHash }) => blockHash !== undefined);
    for (const number of new Set(transfers.map(({ blockNumber }) => blockNumber))) {
      const current = await readPointer(this.request, number);
      for (const deposit of transfers) {
        if (deposit.blockNumber === number) rechecks.set(deposit, recheckTransfer(deposit, current));
      }
    }
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
    const verdicts = await this.confirmations.confirmRises(state, standing, scanned.number);
    for (const [rise, verdict] of verdicts) if (verdict === 'wait') rechecks.set(rise, 'wait');
  }
}

function isLate({ address, blockAtMs }: Deposit, watches: ReadonlyMap<Address, Watch>): boolean {
  const watch = watches.get(address);
  return watch !== undefined && !isInTime(blockAtMs, watch.deadlineMs);
}
