import type { BlockPointer } from '@maker/chain';
import {
  Clock,
  counter,
  declareMetrics,
  gauge,
  histogram,
  MetricsRegistry,
  RpcMetrics,
  reading,
  sharedReading,
} from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { DEPOSIT_KINDS, type DepositKind } from './deposit/deposit.ts';
import { DepositsRepository } from './deposit/deposits.repository.ts';

/** Which balances a poll reads. */
const POLL_SCOPES = ['all', 'some'] as const;

/** How a look at HyperCore ended. */
const CHECK_OUTCOMES = ['found', 'nothing', 'failed', 'given_up'] as const;

/** What an operator sees of the watcher. */
@Injectable()
export class PaymentWatcherMetrics {
  private readonly metrics;
  /** The newest block known; a watcher that catches up is far behind it. */
  private headBlock = 0;
  readonly rpc: RpcMetrics;

  constructor(registry: MetricsRegistry, deposits: DepositsRepository, clock: Clock) {
    const labels = { kind: DEPOSIT_KINDS };
    const uncredited = sharedReading(
      () => deposits.countUncredited(),
      () => clock.now(),
    );
    this.metrics = declareMetrics(registry, {
      maker_payment_detection_lag_blocks: histogram(
        'Blocks from the one that holds a payment to the newest of the chain when it was credited.',
        [1, 2, 3, 5, 10, 30, 100, 300, 1000],
        labels,
      ),
      maker_payment_deposits_total: counter(
        'Deposits credited, by how the money came: transfer, internal, system (from HyperCore) or balance.',
        labels,
      ),
      maker_payment_received_wei_total: counter('Money credited in wei (rounded to a double), by how it came.', labels),
      maker_payment_deadlines_passed_total: counter('Jobs whose payment deadline the chain has passed.'),
      maker_payment_credited_then_dropped_total: counter(
        'Deposits that were credited in blocks which the chain has dropped since, and that were not mined again.',
      ),
      maker_payment_uncredited_deposits: reading(
        'Deposits seen on the chain and not credited yet.',
        async () => (await uncredited()).count,
      ),
      maker_payment_oldest_uncredited_seconds: reading(
        'Age of the block of the oldest deposit that is not credited yet; 0 when all are.',
        async () => {
          const { oldestBlockAtMs } = await uncredited();
          return oldestBlockAtMs === undefined ? 0 : Math.max(0, clock.now() - oldestBlockAtMs) / 1000;
        },
      ),
      maker_watcher_active: gauge('1 in the replica that scans, 0 in one that stands by.'),
      maker_watcher_head_block: gauge('The newest block that is known.'),
      maker_watcher_cursor_block: gauge('The newest block that is scanned.'),
      maker_watcher_cursor_timestamp_seconds: gauge(
        'Timestamp of the newest block that is scanned, as Unix time: payments are blind after it.',
      ),
      maker_watcher_watched_addresses: gauge('Addresses that are watched.'),
      maker_watcher_poll_seconds: histogram(
        'Time to read balances after a block: a part of all addresses, or some for a reason.',
        [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        { scope: POLL_SCOPES },
      ),
      maker_watcher_reorgs_total: counter('Reorganisations seen.'),
      maker_watcher_missed_blocks_total: counter('Blocks that the node no longer had when they were to be scanned.'),
      maker_payment_hypercore_checks_total: counter(
        'Checks of HyperCore for HYPE that was sent to a job’s address there; given_up: a job expired without a check.',
        { outcome: CHECK_OUTCOMES },
      ),
    });
    this.rpc = new RpcMetrics(registry);
  }

  scanning(active: boolean): void {
    this.metrics.maker_watcher_active.set(active ? 1 : 0);
  }

  scanned(cursor: BlockPointer, headBlock: number, watchedAddresses: number): void {
    this.headBlock = headBlock;
    this.metrics.maker_watcher_cursor_block.set(cursor.number);
    this.metrics.maker_watcher_cursor_timestamp_seconds.set(cursor.timestampMs / 1000);
    this.metrics.maker_watcher_head_block.set(headBlock);
    this.metrics.maker_watcher_watched_addresses.set(watchedAddresses);
  }

  /** @param depositBlock the block that holds the payment */
  credited(kind: DepositKind, amountWei: bigint, depositBlock: number): void {
    this.metrics.maker_payment_deposits_total.inc({ kind });
    this.metrics.maker_payment_received_wei_total.inc({ kind }, Number(amountWei));
    this.metrics.maker_payment_detection_lag_blocks.observe({ kind }, Math.max(0, this.headBlock - depositBlock));
  }

  deadlinePassed(): void {
    this.metrics.maker_payment_deadlines_passed_total.inc();
  }

  /** @returns to be called at the end of the poll */
  startPoll(scope: (typeof POLL_SCOPES)[number]): () => void {
    return this.metrics.maker_watcher_poll_seconds.startTimer({ scope });
  }

  reorganised(): void {
    this.metrics.maker_watcher_reorgs_total.inc();
  }

  /** A deposit that was credited is no longer part of the chain. */
  droppedOne(): void {
    this.metrics.maker_payment_credited_then_dropped_total.inc();
  }

  missedBlocks(count: number): void {
    this.metrics.maker_watcher_missed_blocks_total.inc(count);
  }

  checkedHyperCore(outcome: (typeof CHECK_OUTCOMES)[number]): void {
    this.metrics.maker_payment_hypercore_checks_total.inc({ outcome });
  }
}
