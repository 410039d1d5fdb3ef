import {
  answeredBlockTimes,
  type BalanceReading,
  type BlockPointer,
  Hosts,
  judgeChainTime,
  networkOf,
} from '@maker/chain';
import { Clock, Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import type { ScanState } from '../scan/scan-state.ts';

/** Shortest time between two log entries of a block time ahead of the clock, ms. */
const ERROR_EVERY_MS = 60_000;

/** Decides the chain's time: no single host can end a job or make a payment late. Source: docs/adr/0055. */
@Injectable()
export class ChainClockService {
  private readonly boundMs: number;
  private nextErrorAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly hosts: Hosts,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) configuration: PaymentWatcherConfiguration,
  ) {
    this.boundMs = networkOf(configuration.CHAIN_ID).clockBoundMs;
  }

  /** Returns the block with a trusted time: the machine's time replaces one in the future. */
  withTrustedTime(state: ScanState, block: BlockPointer): BlockPointer {
    if (!this.isAhead(block.timestampMs)) return block;
    state.lastBlockAhead = block.number;
    return { ...block, timestampMs: this.clock.now() };
  }

  /** Returns the reading with its block's time from the scan. An unscanned block's time is capped at the machine's plus the bound. */
  withBlockTime(state: ScanState, reading: BalanceReading): BalanceReading {
    const block = state.blocks.find(({ number }) => number === reading.blockNumber);
    const timestampMs = block?.timestampMs ?? Math.min(reading.timestampMs, this.clock.now() + this.boundMs);
    return { ...reading, timestampMs };
  }

  /**
   * Returns the time that ends jobs, ms, from the hosts' times of a confirmed block.
   * @returns undefined if the time is unknown: then no job ends
   */
  async timeOf(state: ScanState, block: BlockPointer): Promise<number | undefined> {
    if (state.lastBlockAhead >= block.number) return undefined;
    const answersMs = await answeredBlockTimes(this.hosts, block.number, block.hash);
    const facts = { previousMs: state.timeMs, machineMs: this.clock.now(), boundMs: this.boundMs };
    const time = judgeChainTime({ ...facts, answersMs: answersMs.length > 0 ? answersMs : [block.timestampMs] });
    if (time.kind === 'ahead') {
      this.logAhead(time.byMs);
      return undefined;
    }
    state.timeMs = time.timeMs;
    return time.timeMs;
  }

  private isAhead(atMs: number): boolean {
    const byMs = atMs - this.clock.now();
    if (byMs <= this.boundMs) return false;
    this.logAhead(byMs);
    return true;
  }

  private logAhead(byMs: number): void {
    const nowMs = performance.now();
    if (nowMs < this.nextErrorAtMs) return;
    this.nextErrorAtMs = nowMs + ERROR_EVERY_MS;
    this.logger.error(
      { aheadMs: byMs },
      'block time ahead of the clock, no job ends: check the endpoints and the clock',
    );
  }
}
