import { BalanceReader, type BalanceReading, type BlockPointer } from '@maker/chain';
import { SteadyClock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import type { ScanState } from '../scan/scan-state.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { ExplainBalanceService } from './explain-balance.service.ts';

/** Addresses in one part of a poll: about the capacity of one call. */
const PART = 2400;

/**
 * Blocks between two parts of a poll, for any number of parts: it limits the operator's request costs and the scan's delay.
 * 9,600 addresses take 20 blocks, the time between two polls on HyperEVM; more addresses take longer.
 */
export const BLOCKS_OF_A_PART = 5;

/** Most addresses past their deadline in one poll: two parts. They are due less often over time; the rest waits for the next poll. */
const MOST_ABANDONED = 5000;

/**
 * Finds money that no transaction of a block shows: moved inside contracts, credited by HyperCore, or paid before the watch.
 * Polls all balances periodically, in parts. Reads single balances of addresses that are new, named in calldata, or past their deadline.
 */
@Injectable()
export class PollBalancesService {
  constructor(
    private readonly reader: BalanceReader,
    private readonly explainer: ExplainBalanceService,
    private readonly watches: WatchesRepository,
    private readonly clock: SteadyClock,
    private readonly metrics: PaymentWatcherMetrics,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Called after each scanned block. */
  async afterBlock(state: ScanState, block: BlockPointer): Promise<void> {
    await this.explainReady(state, block);
    // A reading of a newer block waits for the scan; further readings would only wait too.
    if (state.readings.length > 0) return;
    if (isDue(state, this.clock.now())) await this.beginPoll(state, block);
    for (const address of await this.watches.unreadPastDeadline(block.timestampMs)) state.toRead.add(address);
    for (const address of state.toRead) state.settled.delete(address);
    const part = block.number >= state.nextPartAtBlock ? first(PART, state.toPoll) : [];
    // Strangers choose how many addresses they name: one call after each block.
    const named = block.number >= state.nextNamedAtBlock ? first(PART, state.toRead) : [];
    const addresses = new Set([...named, ...part]);
    if (addresses.size === 0) return;

    const stop = this.metrics.startPoll(part.length > 0 ? 'all' : 'some');
    state.readings = await this.reader.read([...addresses]);
    stop();
    if (part.length > 0) state.nextPartAtBlock = block.number + BLOCKS_OF_A_PART;
    if (named.length > 0) state.nextNamedAtBlock = block.number + state.namedEveryBlocks;
    for (const address of addresses) {
      state.toRead.delete(address);
      state.toPoll.delete(address);
    }
    await this.explainReady(state, block);
  }

  private async beginPoll(state: ScanState, { timestampMs }: BlockPointer): Promise<void> {
    for (const address of await this.watches.closeEnded(timestampMs)) state.watched.remove(address);
    state.toPoll.clear();
    state.settled.clear();
    for (const { address, settled } of await this.watches.toPoll(timestampMs, MOST_ABANDONED)) {
      state.toPoll.add(address);
      if (settled) state.settled.add(address);
    }
    if (state.nextPollAtMs === 0) state.nextPartAtBlock = 0;
    state.nextPollAtMs = this.clock.now() + this.configuration.WATCHER_POLL_INTERVAL_SECONDS * 1000;
  }

  private async explainReady(state: ScanState, block: BlockPointer): Promise<void> {
    const ready = (reading: BalanceReading) => reading.blockNumber <= block.number;
    for (const reading of state.readings.filter(ready)) await this.explainer.explain(state, reading);
    state.readings = state.readings.filter((reading) => !ready(reading));
  }
}

/** A poll starts after the previous one has finished. If earlier readings are in doubt, it restarts. */
function isDue({ toPoll, nextPollAtMs }: ScanState, nowMs: number): boolean {
  return nowMs >= nextPollAtMs && (toPoll.size === 0 || nextPollAtMs === 0);
}

function first<Value>(count: number, values: ReadonlySet<Value>): Value[] {
  const some: Value[] = [];
  for (const value of values) {
    if (some.length >= count) break;
    some.push(value);
  }
  return some;
}
