import { validateTokenResponseSchema } from '@maker/contracts';
import { declareCounter, declareHistogram, ExchangeMetrics, MetricsRegistry, RpcMetrics } from '@maker/service-kit';
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
  private readonly validations;
  private readonly duration;
  readonly exchanges: ExchangeMetrics;
  readonly rpc: RpcMetrics;

  constructor(registry: MetricsRegistry) {
    this.validations = declareCounter(registry, {
      name: 'maker_validation_answers_total',
      help: 'Validations by outcome: valid, the reason of the refusal, or unavailable.',
      labels: { outcome: OUTCOMES },
    });
    this.duration = declareHistogram(registry, {
      name: 'maker_validation_duration_seconds',
      help: 'Time to answer a validation, by whether a snapshot was reused.',
      labels: { snapshot: SNAPSHOTS },
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.exchanges = new ExchangeMetrics(registry);
    this.rpc = new RpcMetrics(registry);
  }

  /** @param seconds from the request's arrival to its answer */
  answered(outcome: string, snapshot: (typeof SNAPSHOTS)[number], seconds: number): void {
    this.validations.inc({ outcome });
    this.duration.observe({ snapshot }, seconds);
  }

  unavailable(): void {
    this.validations.inc({ outcome: 'unavailable' });
  }
}
