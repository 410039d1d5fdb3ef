import type { RequestOutcome } from '@maker/chain';
import { MetricsRegistry } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { DepositKind } from './deposit.ts';

/** What an operator sees of the watcher. */
@Injectable()
export class PaymentWatcherMetrics {
  private readonly lag: Histogram<'kind'>;
  private readonly deposits: Counter<'kind'>;
  private readonly received: Counter<'kind'>;
  private readonly deadlines: Counter;
  private readonly active: Gauge;
  private readonly head: Gauge;
  private readonly cursor: Gauge;
  private readonly watched: Gauge;
  private readonly sweeps: Histogram<'scope'>;
  private readonly reorgs: Counter;
  private readonly missed: Counter;
  private readonly requests: Counter<'method' | 'outcome'>;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
    this.lag = new Histogram({
      name: 'maker_payment_detection_lag_blocks',
      help: 'Blocks from the one that holds a payment to the newest when it was credited.',
      labelNames: ['kind'],
      buckets: [1, 2, 3, 5, 10, 30, 100, 300, 1000],
      registers,
    });
    this.deposits = new Counter({
      name: 'maker_payment_deposits_total',
      help: 'Deposits credited, by how the money came: transfer, internal or balance.',
      labelNames: ['kind'],
      registers,
    });
    this.received = new Counter({
      name: 'maker_payment_received_wei_total',
      help: 'Money credited in wei, by how it came.',
      labelNames: ['kind'],
      registers,
    });
    this.deadlines = new Counter({
      name: 'maker_payment_deadlines_passed_total',
      help: 'Jobs whose payment deadline the chain has passed.',
      registers,
    });
    this.active = gauge('maker_watcher_active', '1 in the replica that scans, 0 in one that stands by.');
    this.head = gauge('maker_watcher_head_block', 'The newest block that is known.');
    this.cursor = gauge('maker_watcher_cursor_block', 'The newest block that is scanned.');
    this.watched = gauge('maker_watcher_watched_addresses', 'Addresses that are watched.');
    this.sweeps = new Histogram({
      name: 'maker_watcher_sweep_seconds',
      help: 'Time to read balances: of all addresses, or of some for a reason.',
      labelNames: ['scope'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.reorgs = new Counter({ name: 'maker_watcher_reorgs_total', help: 'Reorganisations seen.', registers });
    this.missed = new Counter({
      name: 'maker_watcher_missed_blocks_total',
      help: 'Blocks that the node no longer had when they were to be scanned.',
      registers,
    });
    this.requests = new Counter({
      name: 'maker_watcher_rpc_requests_total',
      help: 'Calls to the chain by method and how they ended.',
      labelNames: ['method', 'outcome'],
      registers,
    });
  }

  scanning(active: boolean): void {
    this.active.set(active ? 1 : 0);
  }

  scanned(cursorBlock: number, headBlock: number, watchedAddresses: number): void {
    this.cursor.set(cursorBlock);
    this.head.set(headBlock);
    this.watched.set(watchedAddresses);
  }

  credited(kind: DepositKind, amountWei: bigint, lagBlocks: number): void {
    this.deposits.inc({ kind });
    this.received.inc({ kind }, Number(amountWei));
    this.lag.observe({ kind }, lagBlocks);
  }

  deadlinePassed(): void {
    this.deadlines.inc();
  }

  /** @returns to be called at the end of the sweep */
  startSweep(scope: 'all' | 'some'): () => void {
    return this.sweeps.startTimer({ scope });
  }

  reorganised(): void {
    this.reorgs.inc();
  }

  missedBlocks(count: number): void {
    this.missed.inc(count);
  }

  requested(method: string, outcome: RequestOutcome): void {
    this.requests.inc({ method, outcome });
  }
}
