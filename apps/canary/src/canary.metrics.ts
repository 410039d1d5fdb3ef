import { declareMetrics, gauge, type MetricsRegistry } from '@maker/service-kit';
import { ROUND_KINDS } from './run-round/begin-job.ts';
import type { RoundReport } from './run-round/run-round.ts';
import { STEPS } from './steps.ts';

/** What the last round of this process found: one process, one round. */
export class CanaryMetrics {
  private readonly metrics;

  constructor(registry: MetricsRegistry) {
    this.metrics = declareMetrics(registry, {
      maker_canary_succeeded_timestamp_seconds: gauge(
        'When a round of the canary succeeded, seconds since 1970; 0 where this one has not.',
        { round: ROUND_KINDS },
      ),
      maker_canary_failed_timestamp_seconds: gauge(
        'When a round of the canary failed, by the step that did not succeed, seconds since 1970; no series where none has.',
        { step: STEPS },
      ),
      maker_canary_step_seconds: gauge('Time of each step of the canary’s round that succeeded.', {
        round: ROUND_KINDS,
        step: STEPS,
      }),
      maker_canary_orders_placed: gauge(
        'Orders that the canary’s job placed before its stop was heard, which costs what they bought.',
      ),
      maker_canary_cost_wei: gauge(
        'What the canary’s round cost in wei: the fee, which goes to the treasury, and the rest, which is gas and what orders bought.',
        { part: ['fee', 'rest'] },
      ),
      maker_canary_balance_wei: gauge('What the canary’s wallet held after its round, in wei.'),
    });
    for (const round of ROUND_KINDS) this.metrics.maker_canary_succeeded_timestamp_seconds.set({ round }, 0);
  }

  /** @param nowMs when the round ended */
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
