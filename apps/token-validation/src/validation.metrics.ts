import { validateTokenResponseSchema } from '@maker/contracts';
import { counter, declareMetrics, ExchangeMetrics, histogram, MetricsRegistry, RpcMetrics } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';

const OUTCOMES: readonly string[] = [
  'valid',
  ...validateTokenResponseSchema.shape.reason.unwrap().options.map((reason) => reason.toLowerCase()),
  'unavailable',
];
const SNAPSHOTS = ['reused', 'read'] as const;

/** What this service tells of its work. */
@Injectable()
export class ValidationMetrics {
  private readonly metrics;
  readonly exchanges: ExchangeMetrics;
  readonly rpc: RpcMetrics;

  constructor(registry: MetricsRegistry) {
    this.metrics = declareMetrics(registry, {
      maker_validation_answers_total: counter(
        'Validations by outcome: valid, the reason of the refusal, or unavailable.',
        { outcome: OUTCOMES },
      ),
      maker_validation_duration_seconds: histogram(
        'Time to answer a validation, by whether a snapshot was reused.',
        [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        { snapshot: SNAPSHOTS },
      ),
    });
    this.exchanges = new ExchangeMetrics(registry);
    this.rpc = new RpcMetrics(registry);
  }

  /** @param seconds from the request's arrival to its answer */
  answered(outcome: string, snapshot: (typeof SNAPSHOTS)[number], seconds: number): void {
    this.metrics.maker_validation_answers_total.inc({ outcome });
    this.metrics.maker_validation_duration_seconds.observe({ snapshot }, seconds);
  }

  unavailable(): void {
    this.metrics.maker_validation_answers_total.inc({ outcome: 'unavailable' });
  }
}
