import { setTimeout as wait } from 'node:timers/promises';
import {
  answeredBlockTimes,
  type BalanceReading,
  type BlockPointer,
  type ChainClient,
  hostCountOf,
  judgeChainTime,
  networkOf,
} from '@maker/chain';
import { Clock, Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { CHAIN_CLIENT } from '../chain-client.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import type { ScanState } from '../scan/scan-state.ts';

/** Longest wait for what hosts say of a time, ms. */
const WAIT_MS = 300;

/** Time between two errors about one clock, ms. */
const ERROR_EVERY_MS = 60_000;

/** Decides what time it is on the chain: no single host's word ends a job or makes a payment late. Source: docs/adr/0055. */
@Injectable()
export class ChainClockService {
  private readonly boundMs: number;
  private nextErrorAtMs = 0;

  constructor(
    private readonly clock: Clock,
    @Inject(CHAIN_CLIENT) private readonly client: ChainClient,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) configuration: PaymentWatcherConfiguration,
  ) {
    this.boundMs = networkOf(configuration.CHAIN_ID).clockBoundMs;
  }

  /** A block with a time that is believed: one from the future was mined now at the latest. */
  believed(state: ScanState, block: BlockPointer): BlockPointer {
    if (!this.isAhead(block.timestampMs)) return block;
    state.lastBlockAhead = block.number;
    return { ...block, timestampMs: this.clock.now() };
  }

  /** A reading at the time of its block, as the scan knows it. */
  believedReading(state: ScanState, reading: BalanceReading): BalanceReading {
    const block = state.blocks.find(({ number }) => number === reading.blockNumber);
    const timestampMs = block?.timestampMs ?? Math.min(reading.timestampMs, this.clock.now() + this.boundMs);
    return { ...reading, timestampMs };
  }

  /**
   * The time by which jobs end: of a confirmed block, as its hosts say.
   * @returns undefined where it is not known: then nothing ends
   */
  async timeOf(state: ScanState, block: BlockPointer): Promise<number | undefined> {
    if (state.lastBlockAhead >= block.number) return undefined;
    const answersMs = await this.told(block);
    const facts = { previousMs: state.timeMs, machineMs: this.clock.now(), boundMs: this.boundMs };
    const time = judgeChainTime({ ...facts, answersMs: answersMs.length > 0 ? answersMs : [block.timestampMs] });
    if (time.kind === 'ahead') {
      this.complain(time.byMs);
      return undefined;
    }
    state.timeMs = time.timeMs;
    return time.timeMs;
  }

  /** The earliest time that a host says of a block, ms: a payment is late only where all say so. */
  async earliestTimeOf(block: BlockPointer): Promise<number> {
    return Math.min(block.timestampMs, ...(await this.told(block)));
  }

  private async told({ number, hash }: BlockPointer): Promise<number[]> {
    if (hostCountOf(this.client) < 2) return [];
    return Promise.race([answeredBlockTimes(this.client, number, hash), wait(WAIT_MS, [])]);
  }

  private isAhead(atMs: number): boolean {
    const byMs = atMs - this.clock.now();
    if (byMs <= this.boundMs) return false;
    this.complain(byMs);
    return true;
  }

  private complain(byMs: number): void {
    const nowMs = this.clock.now();
    if (nowMs < this.nextErrorAtMs) return;
    this.nextErrorAtMs = nowMs + ERROR_EVERY_MS;
    this.logger.error(
      { aheadMs: byMs },
      'block time ahead of the clock, no job ends: check the endpoints and the clock',
    );
  }
}
