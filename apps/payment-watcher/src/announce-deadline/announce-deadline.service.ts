import type { BlockPointer } from '@maker/chain';
import { paymentDeadlinePassed, paymentSeenOnHyperCore } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { isInTime } from '@maker/rules';
import { Clock, inSpan, Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ChainClockService } from '../chain-clock/chain-clock.service.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { HyperCoreQueries, type QueryResult } from '../find-wrong-assets/hypercore-queries.ts';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import type { Watch } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { deadlineHasPassed } from './announce-deadline.ts';
import { DepositDustService } from './deposit-dust.service.ts';

/** Most announcements after one block. Each needs its own transaction, and the next block waits for them. */
const MOST_PER_BLOCK = 20;

const NOT_QUERIED: QueryResult = { foundWei: undefined };

/** Announces once for each job that its deadline has passed. Only the time of the confirmed chain decides. */
@Injectable()
export class AnnounceDeadlineService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly outbox: Outbox,
    private readonly metrics: PaymentWatcherMetrics,
    private readonly hyperCore: HyperCoreQueries,
    private readonly clock: Clock,
    private readonly chainClock: ChainClockService,
    private readonly dust: DepositDustService,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Called after each scanned block, when the deposits that it confirms are credited. */
  async afterBlock(state: ScanState): Promise<void> {
    const confirmed = state.confirmedBlock(this.configuration.CHAIN_CONFIRMATIONS);
    if (!confirmed) return;
    const candidates = await this.watches.pastDeadline(confirmed.timestampMs);
    if (candidates.length === 0) return;
    const timestampMs = await this.chainClock.timeOf(state, confirmed);
    if (timestampMs === undefined) return;
    const now = { ...confirmed, timestampMs };
    const early = candidates.filter(({ deadlineMs }) => isInTime(timestampMs, deadlineMs));
    if (early.length > 0) await this.correctReadTimes(state, early, timestampMs);
    const watches = candidates.filter(({ deadlineMs }) => !isInTime(timestampMs, deadlineMs));
    const undecided = await this.deposits.addressesWithUndecided(watches.map(({ address }) => address));
    let announced = 0;
    for (const watch of watches) {
      if (announced >= MOST_PER_BLOCK) return;
      if (!deadlineHasPassed(watch, now, undecided.has(watch.address))) continue;
      // A wallet that spends received its payment on HyperEVM.
      const result = watch.spendingSinceBlock === null ? this.hyperCore.queryBeforeExpiry(watch.address) : NOT_QUERIED;
      if (!result) continue;
      const tip = state.blocks.at(-1);
      if (tip && (await this.dust.beforeDeadline(state, watch, tip))) continue;
      const { origin = {}, jobId } = watch;
      await inSpan('pass deadline', { origin, attributes: { 'maker.job.id': jobId } }, () =>
        this.announce(state, watch, now, result),
      );
      announced += 1;
    }
  }

  /** Resets balance readings that a wrong block time dated past the deadline: the poll reads these balances again. */
  private correctReadTimes(state: ScanState, early: readonly Watch[], timestampMs: number): Promise<void> {
    const addresses = early.map(({ address }) => address);
    return this.writes.run(state, (session) => this.watches.correctReadTimes(addresses, timestampMs, session));
  }

  private async announce(
    state: ScanState,
    watch: Watch,
    { number, timestampMs }: BlockPointer,
    { foundWei = 0n }: QueryResult,
  ): Promise<void> {
    const { jobId, address, deadlineMs } = watch;
    const receivedWei = await this.deposits.creditedWei(address, deadlineMs);
    const data = {
      blockNumber: number,
      blockAt: new Date(timestampMs).toISOString(),
      receivedWei: receivedWei.toString(),
    };
    const announced = await this.writes.run(state, async (session) => {
      if (!(await this.watches.markDeadlinePassed(address, timestampMs, session))) return false;
      // Recorded before the deadline event, so that the job has it when it expires.
      if (foundWei > 0n) {
        const seen = { amountWei: foundWei.toString(), checkedAt: new Date(this.clock.now()).toISOString() };
        await this.outbox.record(paymentSeenOnHyperCore, { jobId, data: seen }, session);
      }
      await this.outbox.record(paymentDeadlinePassed, { jobId, data }, session);
      return true;
    });
    if (!announced) return;
    if (foundWei > 0n)
      this.logger.warn({ jobId, foundWei }, 'HYPE found at the address on HyperCore, where it pays for no job');
    this.metrics.deadlinePassed();
    this.logger.info({ jobId, block: number, receivedWei: data.receivedWei }, 'deadline passed');
  }
}
