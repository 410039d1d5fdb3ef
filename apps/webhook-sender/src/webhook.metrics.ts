import { counter, declareMetrics, gauge, histogram, MetricsRegistry, reading } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { OUTCOMES, type Outcome } from './delivery/attempt.ts';

/** What this service tells of its work. */
@Injectable()
export class WebhookMetrics {
  private readonly metrics;

  constructor(private readonly registry: MetricsRegistry) {
    this.metrics = declareMetrics(registry, {
      maker_webhook_attempts_total: counter('Attempts to deliver a message to an endpoint, by how they ended.', {
        outcome: OUTCOMES,
      }),
      maker_webhook_attempt_duration_seconds: histogram(
        'Time of an attempt to deliver a message, whatever its end.',
        [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      ),
      maker_webhook_endpoint_file_refused: gauge(
        '1 while the file of endpoints cannot be used and those of before are told, otherwise 0.',
      ),
    });
  }

  /** Readings of what is to be delivered to configured endpoints; the age is 0 without any. Once the database is known. */
  read({ waiting, oldestMs }: Readonly<Record<'waiting' | 'oldestMs', () => Promise<number>>>): void {
    declareMetrics(this.registry, {
      maker_webhook_waiting_messages: reading('Messages that an endpoint has not taken yet.', waiting),
      maker_webhook_oldest_waiting_seconds: reading(
        'For how long the oldest message has waited that an endpoint has not taken; 0 when all are taken.',
        async () => (await oldestMs()) / 1000,
      ),
    });
  }

  attempted(outcome: Outcome, tookMs: number): void {
    this.metrics.maker_webhook_attempts_total.inc({ outcome });
    this.metrics.maker_webhook_attempt_duration_seconds.observe({}, tookMs / 1000);
  }

  endpointFileRefused(refused: boolean): void {
    this.metrics.maker_webhook_endpoint_file_refused.set(refused ? 1 : 0);
  }
}
