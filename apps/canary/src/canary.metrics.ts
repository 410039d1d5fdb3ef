import { declareGauge, type MetricsRegistry } from '@maker/service-kit';
import { ROUND_KINDS } from './run-round/begin-job.ts';
import type { RoundReport } from './run-round/run-round.ts';
import { STEPS } from './steps.ts';

/** What the last round of this process found: one process, one round. */
export class CanaryMetrics {
  private readonly succeeded;
  private readonly failed;
  private readonly steps;
  private readonly orders;
  private readonly cost;
  private readonly balance;

  constructor(registry: MetricsRegistry) {
    this.succeeded = declareGauge(registry, {
      name: 'maker_canary_succeeded_timestamp_seconds',
      help: 'When a round of the canary succeeded, seconds since 1970; 0 where this one has not.',
      labels: { round: ROUND_KINDS },
    });
    this.failed = declareGauge(registry, {
      name: 'maker_canary_failed_timestamp_seconds',
      help: 'When a round of the canary failed, by the step that did not succeed, seconds since 1970; no series where none has.',
      labels: { step: STEPS },
    });
    this.steps = declareGauge(registry, {
      name: 'maker_canary_step_seconds',
      help: 'Time of each step of the canary’s round that succeeded.',
      labels: { round: ROUND_KINDS, step: STEPS },
    });
    this.orders = declareGauge(registry, {
      name: 'maker_canary_orders_placed',
      help: 'Orders that the canary’s job placed before its stop was heard, which costs what they bought.',
    });
    this.cost = declareGauge(registry, {
      name: 'maker_canary_cost_wei',
      help: 'What the canary’s round cost in wei: the fee, which goes to the treasury, and the rest, which is gas and what orders bought.',
      labels: { part: ['fee', 'rest'] },
    });
    this.balance = declareGauge(registry, {
      name: 'maker_canary_balance_wei',
      help: 'What the canary’s wallet held after its round, in wei.',
    });
    for (const round of ROUND_KINDS) this.succeeded.set({ round }, 0);
  }

  /** @param nowMs when the round ended */
  show({ kind, failure, tookMs, ordersPlaced, feeWei, otherCostWei, balanceWei }: RoundReport, nowMs: number): void {
    if (failure) this.failed.set({ step: failure.step }, nowMs / 1000);
    else if (kind) this.succeeded.set({ round: kind }, nowMs / 1000);
    if (balanceWei !== undefined) this.balance.set(Number(balanceWei));
    if (!kind) return;
    for (const [step, ms] of tookMs) this.steps.set({ round: kind, step }, ms / 1000);
    this.orders.set(ordersPlaced);
    this.cost.set({ part: 'fee' }, Number(feeWei));
    this.cost.set({ part: 'rest' }, Number(otherCostWei));
  }
}
