import { counter, declareMetrics, gauge, histogram, MetricsRegistry, reading } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { OUTCOMES, type Outcome } from './delivery/attempt.ts';

@Injectable()
export class WebhookMetrics {
  private readonly metrics;

  constructor(private readonly registry: MetricsRegistry) {
    this.metrics = declareMetrics(registry, {
      maker_webhook_attempts_total: counter('Attempts to deliver a message to an endpoint, by outcome.', {
        outcome: OUTCOMES,
      }),
      maker_webhook_attempt_duration_seconds: histogram(
        'Time of an attempt to deliver a message, with any outcome.',
        [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      ),
      maker_webhook_endpoint_file_refused: gauge(
        '1 while the file of endpoints is invalid and the earlier endpoints stay in use, otherwise 0.',
      ),
    });
  }

  /** Declares the readings of waiting messages; the age is 0 without any. Called when the database is connected. */
  read({ waiting, oldestMs }: Readonly<Record<'waiting' | 'oldestMs', () => Promise<number>>>): void {
    declareMetrics(this.registry, {
      maker_webhook_waiting_messages: reading('Messages that an endpoint has not accepted yet.', waiting),
      maker_webhook_oldest_waiting_seconds: reading(
        'Age of the oldest message that an endpoint has not accepted; 0 if all are accepted.',
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
