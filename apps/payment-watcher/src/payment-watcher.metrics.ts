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

/** Scope of a balance reading. */
const POLL_SCOPES = ['all', 'some'] as const;

/** Outcome of a HyperCore query. */
const CHECK_OUTCOMES = ['found', 'nothing', 'failed', 'given_up'] as const;

@Injectable()
export class PaymentWatcherMetrics {
  private readonly metrics;
  /** The newest known block; during catch-up the scan is far behind it. */
  private headBlock = 0;
  readonly rpc: RpcMetrics;

  constructor(registry: MetricsRegistry, deposits: DepositsRepository, clock: Clock) {
    const labels = { kind: DEPOSIT_KINDS };
    const uncredited = sharedReading(() => deposits.countUncredited());
    this.metrics = declareMetrics(registry, {
      maker_payment_detection_lag_blocks: histogram(
        'Blocks from the block of a payment to the newest block of the chain at its credit.',
        [1, 2, 3, 5, 10, 30, 100, 300, 1000],
        labels,
      ),
      maker_payment_deposits_total: counter(
        'Deposits credited, by kind: transfer, internal, system (from HyperCore) or balance.',
        labels,
      ),
      maker_payment_received_wei_total: counter('Money credited in wei (rounded to a double), by kind.', labels),
      maker_payment_deadlines_passed_total: counter('Jobs whose payment deadline passed on the chain.'),
      maker_payment_credited_then_dropped_total: counter(
        'Credited deposits whose block left the chain and that were not mined again.',
      ),
      maker_payment_uncredited_deposits: reading(
        'Deposits seen on the chain and not credited yet.',
        async () => (await uncredited()).count,
      ),
      maker_payment_oldest_uncredited_seconds: reading(
        'Age of the block of the oldest uncredited deposit; 0 if all are credited.',
        async () => {
          const { oldestBlockAtMs } = await uncredited();
          return oldestBlockAtMs === undefined ? 0 : Math.max(0, clock.now() - oldestBlockAtMs) / 1000;
        },
      ),
      maker_watcher_active: gauge('1 in the replica that scans, 0 in a standby.'),
      maker_watcher_head_block: gauge('The newest known block.'),
      maker_watcher_cursor_block: gauge('The newest scanned block.'),
      maker_watcher_cursor_timestamp_seconds: gauge(
        'Timestamp of the newest scanned block, as Unix time: later payments are not seen yet.',
      ),
      maker_watcher_watched_addresses: gauge('Watched addresses.'),
      maker_watcher_poll_seconds: histogram(
        'Time to read balances after a block; scope all: a part of the poll, some: only addresses with a reason.',
        [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        { scope: POLL_SCOPES },
      ),
      maker_watcher_reorgs_total: counter('Reorganisations of the chain.'),
      maker_watcher_missed_blocks_total: counter('Blocks missed by the scan because the node no longer had them.'),
      maker_payment_hypercore_checks_total: counter(
        'Queries of HyperCore for HYPE at a job’s address; given_up: the job expired without a query.',
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

  /** @returns a function to call at the end of the poll */
  startPoll(scope: (typeof POLL_SCOPES)[number]): () => void {
    return this.metrics.maker_watcher_poll_seconds.startTimer({ scope });
  }

  reorganised(): void {
    this.metrics.maker_watcher_reorgs_total.inc();
  }

  /** Counts a credited deposit that left the chain. */
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
