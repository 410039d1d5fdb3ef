import { BalanceReader, type BalanceReading, type BlockPointer } from '@maker/chain';
import { Clock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import type { ScanState } from '../scan/scan-state.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { ExplainBalanceService } from './explain-balance.service.ts';

/** Blocks in which a sweep is over, so that none waits for all of it: HyperEVM has about as many between two sweeps. */
const SWEEP_BLOCKS = 16;

/** Least addresses of a part, about what one call reads: smaller ones would only be more calls. */
const LEAST_PART = 2000;

/**
 * Finds money that no transaction of a block shows: moved inside contracts, credited by HyperCore, or paid before the
 * watch existed. Reads all balances every so often, in parts between which the scan goes on, and single ones when there is a
 * reason: named in calldata, newly watched, or the chain has passed the deadline.
 */
@Injectable()
export class PollBalancesService {
  constructor(
    private readonly reader: BalanceReader,
    private readonly explainer: ExplainBalanceService,
    private readonly watches: WatchesRepository,
    private readonly clock: Clock,
    private readonly metrics: PaymentWatcherMetrics,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Called after each scanned block. */
  async afterBlock(state: ScanState, block: BlockPointer): Promise<void> {
    await this.explainReady(state, block);
    // A reading of a newer block waits until the scan is there; further ones would only wait with it.
    if (state.readings.length > 0) return;
    if (this.clock.now() >= state.nextPollAtMs) await this.beginSweep(state, block);
    for (const address of await this.watches.unreadPastDeadline(block.timestampMs)) state.toRead.add(address);
    const part = [...state.toSweep].slice(0, state.sweepPart);
    const addresses = new Set([...state.toRead, ...part]);
    if (addresses.size === 0) return;

    const stop = this.metrics.startPoll(part.length > 0 ? 'all' : 'some');
    state.readings = await this.reader.read([...addresses]);
    stop();
    state.toRead.clear();
    for (const address of addresses) state.toSweep.delete(address);
    await this.explainReady(state, block);
  }

  private async beginSweep(state: ScanState, { timestampMs }: BlockPointer): Promise<void> {
    const { WATCHER_SWEEP_INTERVAL_SECONDS, WATCHER_SWEEP_MOST_ABANDONED } = this.configuration;
    for (const address of await this.watches.closeEnded(timestampMs)) state.watched.remove(address);
    const addresses = await this.watches.addressesToSweep(timestampMs, WATCHER_SWEEP_MOST_ABANDONED);
    for (const address of addresses) state.toSweep.add(address);
    state.sweepPart = Math.max(LEAST_PART, Math.ceil(state.toSweep.size / SWEEP_BLOCKS));
    state.nextPollAtMs = this.clock.now() + WATCHER_SWEEP_INTERVAL_SECONDS * 1000;
  }

  private async explainReady(state: ScanState, block: BlockPointer): Promise<void> {
    const ready = (reading: BalanceReading) => reading.blockNumber <= block.number;
    for (const reading of state.readings.filter(ready)) await this.explainer.explain(state, reading);
    state.readings = state.readings.filter((reading) => !ready(reading));
  }
}
