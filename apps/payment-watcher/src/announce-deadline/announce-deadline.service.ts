import type { BlockPointer } from '@maker/chain';
import { paymentDeadlinePassed } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { inSpan, LOGGER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import type { Watch } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { deadlineHasPassed, receivedInTime } from './announce-deadline.ts';

/** Announces once for each job that its deadline has passed, by the time of the confirmed chain alone. */
@Injectable()
export class AnnounceDeadlineService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly outbox: Outbox,
    private readonly metrics: PaymentWatcherMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Called after each scanned block, when what it confirmed has been credited. */
  async afterBlock(state: ScanState): Promise<void> {
    const confirmed = state.confirmedBlock(this.configuration.CHAIN_CONFIRMATIONS);
    if (!confirmed) return;
    const watches = await this.watches.pastDeadline(confirmed.timestampMs);
    const undecided = await this.deposits.addressesWithUndecided(watches.map(({ address }) => address));
    for (const watch of watches) {
      if (!deadlineHasPassed(watch, confirmed, undecided.has(watch.address))) continue;
      const { origin = {}, jobId } = watch;
      await inSpan('pass deadline', { origin, attributes: { 'maker.job.id': jobId } }, () =>
        this.announce(state, watch, confirmed),
      );
    }
  }

  private async announce(state: ScanState, watch: Watch, { number, timestampMs }: BlockPointer): Promise<void> {
    const receivedWei = receivedInTime(watch, await this.deposits.credited(watch.address));
    const { jobId } = watch;
    const data = {
      blockNumber: number,
      blockAt: new Date(timestampMs).toISOString(),
      receivedWei: receivedWei.toString(),
    };
    const announced = await this.writes.run(state.lease, async (session) => {
      if (!(await this.watches.markDeadlinePassed(watch.address, timestampMs, session))) return false;
      await this.outbox.record(paymentDeadlinePassed, { jobId, data }, session);
      return true;
    });
    if (!announced) return;
    this.metrics.deadlinePassed();
    this.logger.info({ jobId, block: number, receivedWei: data.receivedWei }, 'the deadline has passed');
  }
}
