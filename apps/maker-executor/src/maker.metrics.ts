import type { RequestOutcome } from '@maker/chain';
import { PAUSE_REASONS, type PauseReason } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { EXECUTION_PHASES } from './execution.ts';
import { ExecutionsRepository } from './executions.repository.ts';
import type { BroadcastAnswer } from './send/broadcast-error.ts';
import type { TransactionPurpose } from './send/transaction.ts';
import { TransactionsRepository } from './transactions.repository.ts';

const GWEI = 1e9;

/** What an operator sees of executions, orders and wallets. Labels are closed sets: never a job, an address or a hash. */
@Injectable()
export class MakerMetrics {
  private readonly orders: Counter<'status'>;
  private readonly spent: Counter<'kind'>;
  private readonly gasPrice: Gauge;
  private readonly headBlock: Gauge;
  private readonly broadcasts: Counter<'answer'>;
  private readonly replaced: Counter<'purpose'>;
  private readonly confirmation: Histogram<'purpose'>;
  private readonly drifts: Counter<'direction'>;
  private readonly drifting: Gauge;
  private readonly refusals: Counter<'purpose'>;
  private readonly refused: Counter;
  private readonly faults: Counter;
  private readonly leaseLosses: Counter;
  private readonly owned: Gauge;
  private readonly requests: Counter<'method' | 'outcome'>;

  constructor(registry: MetricsRegistry, executions: ExecutionsRepository, transactions: TransactionsRepository) {
    const registers = [registry];
    this.orders = new Counter({
      name: 'maker_order_orders_total',
      help: 'Orders signed, mined successfully and mined reverted.',
      labelNames: ['status'],
      registers,
    });
    this.spent = new Counter({
      name: 'maker_execution_spent_wei_total',
      help: 'HYPE that left wallets, in wei (rounded to a double): fee, trades of orders, gas, returns.',
      labelNames: ['kind'],
      registers,
    });
    this.gasPrice = new Gauge({
      name: 'maker_execution_gas_price_gwei',
      help: 'Base fee of the newest block.',
      registers,
    });
    this.headBlock = new Gauge({ name: 'maker_execution_head_block', help: 'Newest block seen.', registers });
    this.broadcasts = new Counter({
      name: 'maker_wallet_broadcasts_total',
      help: 'Broadcasts of signed bytes by what the node made of them.',
      labelNames: ['answer'],
      registers,
    });
    this.replaced = new Counter({
      name: 'maker_wallet_replaced_total',
      help: 'Stuck transactions signed again at the same nonce with a higher fee.',
      labelNames: ['purpose'],
      registers,
    });
    this.confirmation = new Histogram({
      name: 'maker_wallet_confirmation_seconds',
      help: 'From the signature to the block.',
      labelNames: ['purpose'],
      buckets: [0.5, 1, 2, 3, 5, 8, 15, 30, 60, 300, 1800],
      registers,
    });
    this.drifts = new Counter({
      name: 'maker_wallet_ledger_drift_total',
      help: 'Wallets found to hold less than the ledger says (missing), or more (surplus, which is booked).',
      labelNames: ['direction'],
      registers,
    });
    this.drifting = new Gauge({
      name: 'maker_wallet_ledger_drifting',
      help: 'Wallets of this process that are stopped because ledger and chain differ.',
      registers,
    });
    this.refusals = new Counter({
      name: 'maker_wallet_signing_errors_total',
      help: 'Transactions that the signing policy refused or that could not be signed.',
      labelNames: ['purpose'],
      registers,
    });
    this.refused = new Counter({
      name: 'maker_execution_refused_total',
      help: 'Jobs refused because their wallet is not one of this seed.',
      registers,
    });
    this.faults = new Counter({
      name: 'maker_execution_faults_total',
      help: 'Looks at an execution that ended in an error and are repeated at the next block.',
      registers,
    });
    this.leaseLosses = new Counter({
      name: 'maker_wallet_lease_lost_total',
      help: 'Wallets that another process took while this one worked on them.',
      registers,
    });
    this.owned = new Gauge({ name: 'maker_wallet_owned', help: 'Wallets whose lease this process holds.', registers });
    this.requests = new Counter({
      name: 'maker_execution_rpc_calls_total',
      help: 'Requests to RPC endpoints by method and outcome.',
      labelNames: ['method', 'outcome'],
      registers,
    });
    countExecutions(registry, executions);
    new Gauge({
      name: 'maker_wallet_in_flight_nonces',
      help: 'Signed transactions in no block, over all wallets.',
      registers,
      async collect() {
        this.set(await transactions.countUnconfirmed());
      },
    });
  }

  ordersSigned(count: number): void {
    this.orders.inc({ status: 'signed' }, count);
  }

  orderMined(succeeded: boolean): void {
    this.orders.inc({ status: succeeded ? 'mined' : 'failed' });
  }

  moved(kind: 'fee' | 'order' | 'gas' | 'returned', wei: bigint): void {
    this.spent.inc({ kind }, Number(wei));
  }

  head(blockNumber: number, baseFeeWei: bigint): void {
    this.headBlock.set(blockNumber);
    this.gasPrice.set(Number(baseFeeWei) / GWEI);
  }

  broadcast(answer: 'accepted' | BroadcastAnswer): void {
    this.broadcasts.inc({ answer });
  }

  replacement(purpose: TransactionPurpose): void {
    this.replaced.inc({ purpose });
  }

  confirmed(purpose: TransactionPurpose, ms: number): void {
    this.confirmation.observe({ purpose }, Math.max(ms, 0) / 1000);
  }

  drift(direction: 'missing' | 'surplus'): void {
    this.drifts.inc({ direction });
  }

  wallets(owned: number, drifting: number): void {
    this.owned.set(owned);
    this.drifting.set(drifting);
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

  request(method: string, outcome: RequestOutcome): void {
    this.requests.inc({ method, outcome });
  }
}

function countExecutions(registry: MetricsRegistry, executions: ExecutionsRepository): void {
  new Gauge({
    name: 'maker_execution_executions',
    help: 'Executions by phase, as the database has them.',
    labelNames: ['phase'],
    registers: [registry],
    async collect() {
      const { phases } = await executions.count();
      for (const phase of EXECUTION_PHASES) this.set({ phase }, phases.get(phase) ?? 0);
    },
  });
  new Gauge({
    name: 'maker_execution_paused',
    help: 'Executions that wait, by why.',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const { pauses } = await executions.count();
      for (const reason of PAUSE_REASONS) this.set({ reason }, pauses.get(reason as PauseReason) ?? 0);
    },
  });
}
