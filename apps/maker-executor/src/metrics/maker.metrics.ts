import { GAS_GUARDRAIL_WEI, type JobQuality } from '@maker/rules';
import {
  declareCounter,
  declareGauge,
  declareHistogram,
  ExchangeMetrics,
  MetricsRegistry,
  RpcMetrics,
} from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { BlockHead } from '../chain/head-feed.ts';
import { BROADCAST_ANSWERS, type BroadcastAnswer } from '../transaction/broadcast-answer.ts';
import { TRANSACTION_PURPOSES, type TransactionPurpose } from '../transaction/transaction.ts';
import { QualityMetrics } from './quality.metrics.ts';
import { RoomMetrics } from './room.metrics.ts';

const ORDER_STATUSES = ['signed', 'mined', 'failed'] as const;
const SPENDING_KINDS = ['fee', 'order', 'gas', 'returned'] as const;
const DRIFT_DIRECTIONS = ['missing', 'surplus', 'broken'] as const;

/** Seconds that a payer may have to wait. */
const WAITS = [5, 15, 30, 60, 120, 300, 600, 1800, 3600];

/** What an operator sees of executions, orders and wallets. Labels are closed sets: never a job, an address or a hash. */
@Injectable()
export class MakerMetrics {
  private readonly orders;
  private readonly spent;
  private readonly baseFee;
  private readonly headBlock;
  private readonly headTime;
  private readonly broadcasts;
  private readonly replaced;
  private readonly reverted;
  private readonly feesRefused;
  private readonly confirmation;
  private readonly firstOrders;
  private readonly returns;
  private readonly drifts;
  private readonly refusals;
  private readonly refused;
  private readonly faults;
  private readonly leaseLosses;
  private readonly owned;
  private readonly qualities: QualityMetrics;
  readonly exchanges: ExchangeMetrics;
  readonly rpc: RpcMetrics;
  readonly room: RoomMetrics;
  private newestBlockMs: number | undefined;

  constructor(registry: MetricsRegistry) {
    const counter = (name: string, help: string) => declareCounter(registry, { name, help });
    const gauge = (name: string, help: string) => declareGauge(registry, { name, help });
    const byPurpose = { purpose: TRANSACTION_PURPOSES };
    this.orders = declareCounter(registry, {
      name: 'maker_order_orders_total',
      help: 'Orders signed, mined successfully and mined reverted.',
      labels: { status: ORDER_STATUSES },
    });
    this.spent = declareCounter(registry, {
      name: 'maker_execution_spent_wei_total',
      help: 'HYPE that left wallets, in wei (rounded to a double): fee, trades of orders, gas, returns.',
      labels: { kind: SPENDING_KINDS },
    });
    this.baseFee = gauge('maker_execution_base_fee_wei', 'Base fee of the newest block, wei per gas.');
    gauge('maker_execution_gas_guardrail_wei', 'Gas price above which no order is placed, wei per gas.').set(
      Number(GAS_GUARDRAIL_WEI),
    );
    this.headBlock = gauge('maker_execution_head_block', 'Newest block seen.');
    this.headTime = gauge(
      'maker_execution_head_timestamp_seconds',
      'Timestamp of the newest block seen, as Unix time: nothing is sent on an old one.',
    );
    this.broadcasts = declareCounter(registry, {
      name: 'maker_wallet_broadcasts_total',
      help: 'Broadcasts of signed bytes by what the node made of them.',
      labels: { answer: ['accepted', ...BROADCAST_ANSWERS] },
    });
    this.replaced = declareCounter(registry, {
      name: 'maker_wallet_replaced_total',
      help: 'Stuck transactions signed again at the same nonce with a higher fee.',
      labels: byPurpose,
    });
    this.reverted = declareCounter(registry, {
      name: 'maker_wallet_reverted_total',
      help: 'Transactions that were mined and reverted: they cost gas and did nothing else.',
      labels: byPurpose,
    });
    this.feesRefused = counter(
      'maker_execution_fees_refused_total',
      'Paid jobs that ended since the treasury did not take their fee.',
    );
    this.confirmation = declareHistogram(registry, {
      name: 'maker_wallet_confirmation_seconds',
      help: 'From the signature to the block.',
      labels: byPurpose,
      buckets: [0.5, 1, 2, 3, 5, 8, 15, 30, 60, 300, 1800],
    });
    this.firstOrders = declareHistogram(registry, {
      name: 'maker_execution_first_order_seconds',
      help: 'From the activation of a paid job to the block of its first order; jobs that waited before it are left out.',
      buckets: WAITS,
    });
    this.returns = declareHistogram(registry, {
      name: 'maker_execution_return_seconds',
      help: 'From the end of trading to the block in which all was delivered and returned; jobs of which money is held are left out.',
      buckets: WAITS,
    });
    this.drifts = declareCounter(registry, {
      name: 'maker_wallet_ledger_drift_total',
      help:
        'Wallets found to hold less than the ledger says (missing) or more (surplus, which is booked), and ledgers ' +
        'whose entries do not add up (broken).',
      labels: { direction: DRIFT_DIRECTIONS },
    });
    this.refusals = declareCounter(registry, {
      name: 'maker_wallet_signing_errors_total',
      help: 'Transactions that the signing policy refused or that could not be signed.',
      labels: byPurpose,
    });
    this.refused = counter(
      'maker_execution_refused_total',
      'Jobs refused because their wallet is not one of this seed.',
    );
    this.faults = counter(
      'maker_execution_faults_total',
      'Looks at an execution that ended in an error and are repeated at the next block.',
    );
    this.leaseLosses = counter(
      'maker_wallet_lease_lost_total',
      'Wallets that another process took while this one worked on them.',
    );
    this.owned = gauge('maker_wallet_owned', 'Wallets whose lease this process holds.');
    this.qualities = new QualityMetrics(registry);
    this.exchanges = new ExchangeMetrics(registry);
    this.rpc = new RpcMetrics(registry);
    this.room = new RoomMetrics(registry, () => this.newestBlockMs ?? 0);
  }

  /** Timestamp of the newest block, ms; undefined before the first. */
  get chainTimeMs(): number | undefined {
    return this.newestBlockMs;
  }

  ordersSigned(count: number): void {
    this.orders.inc({ status: 'signed' }, count);
  }

  orderMined(succeeded: boolean): void {
    this.orders.inc({ status: succeeded ? 'mined' : 'failed' });
  }

  moved(kind: (typeof SPENDING_KINDS)[number], wei: bigint): void {
    this.spent.inc({ kind }, Number(wei));
  }

  head({ number, baseFeeWei, timestampMs }: BlockHead): void {
    this.newestBlockMs = timestampMs;
    this.headBlock.set(number);
    this.headTime.set(timestampMs / 1000);
    this.baseFee.set(Number(baseFeeWei));
  }

  broadcast(answer: 'accepted' | BroadcastAnswer): void {
    this.broadcasts.inc({ answer });
  }

  replacement(purpose: TransactionPurpose): void {
    this.replaced.inc({ purpose });
  }

  /** A transaction is final. @param ms from its signature to its block */
  confirmed(purpose: TransactionPurpose, ms: number, succeeded: boolean): void {
    this.confirmation.observe({ purpose }, Math.max(ms, 0) / 1000);
    if (!succeeded) this.reverted.inc({ purpose });
    if (purpose === 'order') this.orderMined(succeeded);
  }

  /** The first order of a job is final. @param ms since its activation */
  firstOrder(ms: number): void {
    this.firstOrders.observe({}, Math.max(ms, 0) / 1000);
  }

  /** A job ended of which nothing is held. @param ms since trading ended */
  returned(ms: number): void {
    this.returns.observe({}, Math.max(ms, 0) / 1000);
  }

  /** A job ended that had bought something. */
  quality(quality: JobQuality): void {
    this.qualities.observe(quality);
  }

  /** A paid job ended since the treasury did not take its fee. */
  feeRefused(): void {
    this.feesRefused.inc();
  }

  drift(direction: (typeof DRIFT_DIRECTIONS)[number]): void {
    this.drifts.inc({ direction });
  }

  wallets(owned: number): void {
    this.owned.set(owned);
  }

  signingError(purpose: TransactionPurpose): void {
    this.refusals.inc({ purpose });
  }

  refusedJob(): void {
    this.refused.inc();
  }

  fault(): void {
    this.faults.inc();
  }

  leaseLost(): void {
    this.leaseLosses.inc();
  }
}
