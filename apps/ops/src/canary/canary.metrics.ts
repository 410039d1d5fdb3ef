import { declareMetrics, gauge, type MetricsRegistry } from '@maker/service-kit';
import { ROUND_KINDS } from './run-round/begin-job.ts';
import type { RoundReport } from './run-round/run-round.ts';
import { STEPS } from './steps.ts';

/** Metrics of this process's only round. */
export class CanaryMetrics {
  private readonly metrics;

  constructor(registry: MetricsRegistry) {
    this.metrics = declareMetrics(registry, {
      maker_canary_succeeded_timestamp_seconds: gauge(
        'Time at which a canary round succeeded, seconds since 1970; 0 if this round has not.',
        { round: ROUND_KINDS },
      ),
      maker_canary_failed_timestamp_seconds: gauge(
        'Time at which a canary round failed, by failed step, seconds since 1970; no series without a failure.',
        { step: STEPS },
      ),
      maker_canary_step_seconds: gauge('Duration of each successful step of the canary’s round.', {
        round: ROUND_KINDS,
        step: STEPS,
      }),
      maker_canary_orders_placed: gauge(
        'Orders that the canary’s job placed before its stop took effect. They cost the HYPE that they spent.',
      ),
      maker_canary_cost_wei: gauge(
        'Cost of the canary’s round in wei: the fee, which goes to the treasury, and the rest, which is gas and spending of orders.',
        { part: ['fee', 'rest'] },
      ),
      maker_canary_balance_wei: gauge('Balance of the canary’s wallet after its round, in wei.'),
    });
    for (const round of ROUND_KINDS) this.metrics.maker_canary_succeeded_timestamp_seconds.set({ round }, 0);
  }

  /** @param nowMs end of the round, ms */
  show({ kind, failure, tookMs, ordersPlaced, feeWei, otherCostWei, balanceWei }: RoundReport, nowMs: number): void {
    if (failure) this.metrics.maker_canary_failed_timestamp_seconds.set({ step: failure.step }, nowMs / 1000);
    else if (kind) this.metrics.maker_canary_succeeded_timestamp_seconds.set({ round: kind }, nowMs / 1000);
    if (balanceWei !== undefined) this.metrics.maker_canary_balance_wei.set(Number(balanceWei));
    if (!kind) return;
    for (const [step, ms] of tookMs) this.metrics.maker_canary_step_seconds.set({ round: kind, step }, ms / 1000);
    this.metrics.maker_canary_orders_placed.set(ordersPlaced);
    this.metrics.maker_canary_cost_wei.set({ part: 'fee' }, Number(feeWei));
    this.metrics.maker_canary_cost_wei.set({ part: 'rest' }, Number(otherCostWei));
  }
}
