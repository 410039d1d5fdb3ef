import { validateTokenResponseSchema } from '@maker/contracts';
import { counter, declareMetrics, ExchangeMetrics, MetricsRegistry, RpcMetrics } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';

const OUTCOMES: readonly string[] = [
  'valid',
  ...validateTokenResponseSchema.shape.reason.unwrap().options.map((reason) => reason.toLowerCase()),
  'unavailable',
];

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
    });
    this.exchanges = new ExchangeMetrics(registry);
    this.rpc = new RpcMetrics(registry);
  }

  answered(outcome: string): void {
    this.metrics.maker_validation_answers_total.inc({ outcome });
  }
}
