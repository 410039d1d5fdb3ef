import type { BlockPointer } from '@maker/chain';
import { isDust } from '@maker/rules';
import {
  Clock,
  declareCounter,
  declareGauge,
  declareHistogram,
  declareReading,
  MetricsRegistry,
  RpcMetrics,
  sharedReading,
} from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DEPOSIT_KINDS, type DepositKind } from './deposit/deposit.ts';
import { DepositsRepository } from './deposit/deposits.repository.ts';

/** Which balances a poll reads. */
const POLL_SCOPES = ['all', 'some'] as const;

/** How a look at HyperCore ended. */
const LOOK_OUTCOMES = ['found', 'nothing', 'failed', 'given_up'] as const;

/** What an operator sees of the watcher. */
@Injectable()
export class PaymentWatcherMetrics {
  private readonly lag;
  private readonly deposits;
  private readonly received;
  private readonly polls;
  private readonly deadlines: Counter;
  private readonly reorgs: Counter;
  private readonly missed: Counter;
  private readonly dropped: Counter;
  private readonly active;
  private readonly head;
  private readonly cursor;
  private readonly cursorTime;
  private readonly watched;
  private readonly looks;
  readonly rpc: RpcMetrics;

  constructor(registry: MetricsRegistry, deposits: DepositsRepository, clock: Clock) {
    const counter = (name: string, help: string) => declareCounter(registry, { name, help });
    const gauge = (name: string, help: string) => declareGauge(registry, { name, help });
    const labels = { kind: DEPOSIT_KINDS };
    this.lag = declareHistogram(registry, {
      name: 'maker_payment_detection_lag_blocks',
      help: 'Blocks from the one that holds a payment to the newest when it was credited; dust is left out.',
      labels,
      buckets: [1, 2, 3, 5, 10, 30, 100, 300, 1000],
    });
    this.deposits = declareCounter(registry, {
      name: 'maker_payment_deposits_total',
      help: 'Deposits credited, by how the money came: transfer, internal, system (from HyperCore) or balance.',
      labels,
    });
    this.received = declareCounter(registry, {
      name: 'maker_payment_received_wei_total',
      help: 'Money credited in wei (rounded to a double), by how it came.',
      labels,
    });
    this.deadlines = counter(
      'maker_payment_deadlines_passed_total',
      'Jobs whose payment deadline the chain has passed.',
    );
    this.dropped = counter(
      'maker_payment_credited_then_dropped_total',
      'Deposits that were credited in blocks which the chain has dropped since, and that were not mined again.',
    );
    const uncredited = sharedReading(
      () => deposits.countUncredited(),
      () => clock.now(),
    );
    declareReading(registry, {
      name: 'maker_payment_uncredited_deposits',
      help: 'Deposits seen on the chain and not credited yet.',
      read: async () => (await uncredited()).count,
    });
    declareReading(registry, {
      name: 'maker_payment_oldest_uncredited_seconds',
      help: 'Age of the block of the oldest deposit that is not credited yet and no dust, which waits behind all others; 0 when all are.',
      read: async () => {
        const { oldestBlockAtMs } = await uncredited();
        return oldestBlockAtMs === undefined ? 0 : Math.max(0, clock.now() - oldestBlockAtMs) / 1000;
      },
    });
    this.active = gauge('maker_watcher_active', '1 in the replica that scans, 0 in one that stands by.');
    this.head = gauge('maker_watcher_head_block', 'The newest block that is known.');
    this.cursor = gauge('maker_watcher_cursor_block', 'The newest block that is scanned.');
    this.cursorTime = gauge(
      'maker_watcher_cursor_timestamp_seconds',
      'Timestamp of the newest block that is scanned, as Unix time: payments are blind after it.',
    );
    this.watched = gauge('maker_watcher_watched_addresses', 'Addresses that are watched.');
    this.polls = declareHistogram(registry, {
      name: 'maker_watcher_sweep_seconds',
      help: 'Time to read balances after a block: a part of all addresses, or some for a reason.',
      labels: { scope: POLL_SCOPES },
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.reorgs = counter('maker_watcher_reorgs_total', 'Reorganisations seen.');
    this.missed = counter(
      'maker_watcher_missed_blocks_total',
      'Blocks that the node no longer had when they were to be scanned.',
    );
    this.looks = declareCounter(registry, {
      name: 'maker_payment_hypercore_looks_total',
      help: 'Looks at HyperCore for HYPE that was sent there to a job’s address; given_up: a job expired without one.',
      labels: { outcome: LOOK_OUTCOMES },
    });
    this.rpc = new RpcMetrics(registry);
  }

  scanning(active: boolean): void {
    this.active.set(active ? 1 : 0);
  }

  scanned(cursor: BlockPointer, headBlock: number, watchedAddresses: number): void {
    this.cursor.set(cursor.number);
    this.cursorTime.set(cursor.timestampMs / 1000);
    this.head.set(headBlock);
    this.watched.set(watchedAddresses);
  }

  credited(kind: DepositKind, amountWei: bigint, lagBlocks: number): void {
    this.deposits.inc({ kind });
    this.received.inc({ kind }, Number(amountWei));
    // It waits behind all others, and nobody waits for it.
    if (!isDust(amountWei)) this.lag.observe({ kind }, lagBlocks);
  }

  deadlinePassed(): void {
    this.deadlines.inc();
  }

  /** @returns to be called at the end of the poll */
  startPoll(scope: (typeof POLL_SCOPES)[number]): () => void {
    return this.polls.startTimer({ scope });
  }

  reorganised(): void {
    this.reorgs.inc();
  }

  /** A deposit that was credited is no longer part of the chain. */
  droppedOne(): void {
    this.dropped.inc();
  }

  missedBlocks(count: number): void {
    this.missed.inc(count);
  }

  lookedAtHyperCore(outcome: (typeof LOOK_OUTCOMES)[number]): void {
    this.looks.inc({ outcome });
  }
}
