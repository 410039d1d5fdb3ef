import { type BlockHead, BROADCAST_ANSWERS, type BroadcastAnswer } from '@maker/chain';
import { TRANSACTION_PURPOSES, type TransactionPurpose } from '@maker/execution-records';
import { GAS_GUARDRAIL_WEI, type JobQuality } from '@maker/rules';
import {
  counter,
  declareMetrics,
  ExchangeMetrics,
  gauge,
  histogram,
  MetricsRegistry,
  RpcMetrics,
} from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { QualityMetrics } from './quality.metrics.ts';
import { RoomMetrics } from './room.metrics.ts';

const ORDER_STATUSES = ['signed', 'mined', 'failed'] as const;
const SPENDING_KINDS = ['fee', 'order', 'gas', 'returned'] as const;
const DRIFT_DIRECTIONS = ['missing', 'surplus', 'broken'] as const;

/** Buckets for waiting times of a payer, seconds. */
const WAITS = [5, 15, 30, 60, 120, 300, 600, 1800, 3600];

/** Metrics of executions, orders and wallets. Labels are closed sets: never a job, an address or a hash. */
@Injectable()
export class MakerMetrics {
  private readonly metrics;
  private readonly qualities: QualityMetrics;
  readonly exchanges: ExchangeMetrics;
  readonly rpc: RpcMetrics;
  readonly room: RoomMetrics;
  private newestBlockMs: number | undefined;

  constructor(registry: MetricsRegistry) {
    const byPurpose = { purpose: TRANSACTION_PURPOSES };
    this.metrics = declareMetrics(registry, {
      maker_order_orders_total: counter('Orders signed, mined successfully and mined reverted.', {
        status: ORDER_STATUSES,
      }),
      maker_execution_spent_wei_total: counter(
        'HYPE that left wallets, in wei (rounded to a double): fee, trades of orders, gas, returns.',
        { kind: SPENDING_KINDS },
      ),
      maker_execution_base_fee_wei: gauge('Base fee of the newest block, wei per gas.'),
      maker_execution_gas_guardrail_wei: gauge('Gas price above which no order is placed, wei per gas.'),
      maker_execution_head_block: gauge('Newest block read.'),
      maker_execution_head_timestamp_seconds: gauge(
        'Unix timestamp of the newest block read: the service sends nothing on an old block.',
      ),
      maker_wallet_broadcasts_total: counter("Broadcasts of signed bytes by the node's answer.", {
        answer: ['accepted', ...BROADCAST_ANSWERS],
      }),
      maker_wallet_replaced_total: counter(
        'Stuck transactions signed again at the same nonce with a higher fee.',
        byPurpose,
      ),
      maker_wallet_reverted_total: counter('Transactions that were mined and reverted: they only cost gas.', byPurpose),
      maker_execution_fees_refused_total: counter('Paid jobs that ended because the treasury refused their fee.'),
      maker_wallet_confirmation_seconds: histogram(
        "Time from a transaction's signature to its block.",
        [0.5, 1, 2, 3, 5, 8, 15, 30, 60, 300, 1800],
        byPurpose,
      ),
      maker_execution_first_order_seconds: histogram(
        'Time from the activation of a paid job to the block of its first order, without jobs that were paused before it.',
        WAITS,
      ),
      maker_execution_return_seconds: histogram(
        'Time from the end of trading to the block at which delivery and return are final, without jobs whose money is held.',
        WAITS,
      ),
      maker_wallet_ledger_drift_total: counter(
        'Wallets found to hold less than the ledger says (missing) or more (surplus, which is booked), and ledgers ' +
          'whose entries do not add up (broken).',
        { direction: DRIFT_DIRECTIONS },
      ),
      maker_wallet_signing_errors_total: counter(
        'Transactions that the signing policy refused or that could not be signed.',
        byPurpose,
      ),
      maker_execution_refused_total: counter('Jobs refused because their wallet is not derived from this seed.'),
      maker_execution_faults_total: counter('Ticks of an execution that failed and are repeated at the next block.'),
      maker_wallet_lease_lost_total: counter(
        'Wallet leases lost to another process while this one worked on the wallet.',
      ),
      maker_wallet_owned: gauge('Wallets whose lease this process holds.'),
    });
    this.metrics.maker_execution_gas_guardrail_wei.set(Number(GAS_GUARDRAIL_WEI));
    this.qualities = new QualityMetrics(registry);
    this.exchanges = new ExchangeMetrics(registry);
    this.rpc = new RpcMetrics(registry);
    this.room = new RoomMetrics(registry);
  }

  /** Timestamp of the newest block, ms; undefined before the first. */
  get chainTimeMs(): number | undefined {
    return this.newestBlockMs;
  }

  ordersSigned(count: number): void {
    this.metrics.maker_order_orders_total.inc({ status: 'signed' }, count);
  }

  orderMined(succeeded: boolean): void {
    this.metrics.maker_order_orders_total.inc({ status: succeeded ? 'mined' : 'failed' });
  }

  moved(kind: (typeof SPENDING_KINDS)[number], wei: bigint): void {
    this.metrics.maker_execution_spent_wei_total.inc({ kind }, Number(wei));
  }

  head({ number, baseFeeWei, timestampMs }: BlockHead): void {
    this.newestBlockMs = timestampMs;
    this.metrics.maker_execution_head_block.set(number);
    this.metrics.maker_execution_head_timestamp_seconds.set(timestampMs / 1000);
    this.metrics.maker_execution_base_fee_wei.set(Number(baseFeeWei));
  }

  broadcast(answer: 'accepted' | BroadcastAnswer): void {
    this.metrics.maker_wallet_broadcasts_total.inc({ answer });
  }

  replacement(purpose: TransactionPurpose): void {
    this.metrics.maker_wallet_replaced_total.inc({ purpose });
  }

  /** Records a final transaction. @param ms from its signature to its block */
  confirmed(purpose: TransactionPurpose, ms: number, succeeded: boolean): void {
    this.metrics.maker_wallet_confirmation_seconds.observe({ purpose }, Math.max(ms, 0) / 1000);
    if (!succeeded) this.metrics.maker_wallet_reverted_total.inc({ purpose });
    if (purpose === 'order') this.orderMined(succeeded);
  }

  /** Records the first final order of a job. @param ms since its activation */
  firstOrder(ms: number): void {
    this.metrics.maker_execution_first_order_seconds.observe({}, Math.max(ms, 0) / 1000);
  }

  /** Records the end of a job without held money. @param ms since trading ended */
  returned(ms: number): void {
    this.metrics.maker_execution_return_seconds.observe({}, Math.max(ms, 0) / 1000);
  }

  /** Records the quality of a completed job that bought tokens. */
  quality(quality: JobQuality): void {
    this.qualities.observe(quality);
  }

  /** Counts a paid job that ended because the treasury refused its fee. */
  feeRefused(): void {
    this.metrics.maker_execution_fees_refused_total.inc();
  }

  drift(direction: (typeof DRIFT_DIRECTIONS)[number]): void {
    this.metrics.maker_wallet_ledger_drift_total.inc({ direction });
  }

  wallets(owned: number): void {
    this.metrics.maker_wallet_owned.set(owned);
  }

  signingError(purpose: TransactionPurpose): void {
    this.metrics.maker_wallet_signing_errors_total.inc({ purpose });
  }

  refusedJob(): void {
    this.metrics.maker_execution_refused_total.inc();
  }

  fault(): void {
    this.metrics.maker_execution_faults_total.inc();
  }

  leaseLost(): void {
    this.metrics.maker_wallet_lease_lost_total.inc();
  }
}
