import { EVENT_TYPES, REQUEST_SUBJECTS } from '@maker/contracts';
import { counter, declareMetrics, gauge, histogram, MetricsRegistry, reading, readings } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';

const REQUEST_OUTCOMES = ['answered', 'refused', 'failed', 'timeout', 'unavailable'] as const;
const EVENT_OUTCOMES = ['applied', 'duplicate', 'failed', 'forged'] as const;

/** Result of a request to another service. */
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

const DROPPED_REPLIES = ['no_request', 'other_id'] as const;

/** Why a reply reaches no request: its inbox has no open request, or it names another one. */
export type DroppedReply = (typeof DROPPED_REPLIES)[number];

/** Result of an attempt to apply an event. */
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

const PARKED_STATES = ['failed', 'waiting'] as const;

/** State of an event that could not be applied yet. */
export type ParkedState = (typeof PARKED_STATES)[number];

/** Every service's metrics of its connection to NATS and its requests. */
@Injectable()
export class NatsMetrics {
  private readonly metrics;

  constructor(registry: MetricsRegistry) {
    this.metrics = declareMetrics(registry, {
      maker_nats_connected: gauge('1 while the service is connected to a NATS server, otherwise 0.'),
      maker_nats_disconnects_total: counter('Lost connections to a NATS server.'),
      maker_nats_requests_total: counter(
        'Requests to other services by their result for the caller: answered, refused for a reason of the product, ' +
          'failed inside the other service, timeout, or unavailable when no replica of it answers.',
        { subject: REQUEST_SUBJECTS, outcome: REQUEST_OUTCOMES },
        [],
      ),
      maker_nats_request_duration_seconds: histogram(
        'Time of a request to another service, successful or failed.',
        [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        { subject: REQUEST_SUBJECTS },
        [],
      ),
      maker_nats_replies_dropped_total: counter(
        'Replies that no request accepted: its inbox has no open request (it ended, or never was), or the reply has ' +
          'another id than the request.',
        { reason: DROPPED_REPLIES },
      ),
    });
  }

  replyDropped(reason: DroppedReply): void {
    this.metrics.maker_nats_replies_dropped_total.inc({ reason });
  }

  connection(connected: boolean): void {
    this.metrics.maker_nats_connected.set(connected ? 1 : 0);
    if (!connected) this.metrics.maker_nats_disconnects_total.inc();
  }

  /** @param ms time from the request to its end */
  requested(subject: string, outcome: RequestOutcome, ms: number): void {
    // The first request of a subject creates all its series, so that its first failure is a rise from 0.
    const { maker_nats_requests_total: requests, maker_nats_request_duration_seconds: durations } = this.metrics;
    for (const each of REQUEST_OUTCOMES) requests.inc({ subject, outcome: each }, each === outcome ? 1 : 0);
    durations.observe({ subject }, ms / 1000);
  }
}

/** Readings of events for a scrape. */
export interface EventReadings {
  /** Age of the oldest event without a number, ms. */
  readonly outboxAgeMs: () => Promise<number>;
  /** Events that no message can carry, which wait for an operator. */
  readonly setAside: () => Promise<number>;
  /** Events that wait in `parked_events`, by their state. */
  readonly parked: () => Promise<ReadonlyMap<ParkedState, number>>;
}

/** Event metrics of a service with an outbox and an inbox. */
export class EventMetrics {
  private readonly metrics;

  constructor(registry: Registry, { outboxAgeMs, setAside, parked }: EventReadings) {
    const labels = { type: EVENT_TYPES };
    this.metrics = declareMetrics(registry, {
      maker_outbox_published_total: counter('Events that the relay has added to the log of the service.', labels, []),
      maker_outbox_age_seconds: reading(
        'Age of the oldest event that is recorded and not yet in the log; 0 when all are.',
        async () => (await outboxAgeMs()) / 1000,
      ),
      maker_outbox_set_aside_messages: reading(
        'Events that no message can carry (too large, invalid) and that wait for an operator.',
        setAside,
      ),
      maker_events_consumed_total: counter(
        'Attempts to apply an event by their result: applied, duplicate, failed, or forged (a source listed the type of another).',
        { ...labels, outcome: EVENT_OUTCOMES },
        [],
      ),
      maker_events_parked_total: counter(
        'Events that failed in eight attempts. Each is repeated every minute.',
        labels,
        [],
      ),
      maker_events_parked_messages: readings(
        'Events that the service could not apply yet: failed in eight attempts, or waiting (fewer attempts, or behind another event of the job).',
        'state',
        PARKED_STATES,
        parked,
      ),
    });
  }

  /** Creates the series of an event type that the service consumes. */
  consumes(type: string): void {
    for (const outcome of EVENT_OUTCOMES) this.metrics.maker_events_consumed_total.inc({ type, outcome }, 0);
    this.metrics.maker_events_parked_total.inc({ type }, 0);
  }

  publishedOne(type: string): void {
    this.metrics.maker_outbox_published_total.inc({ type });
  }

  consumedOne(type: string, outcome: EventOutcome): void {
    this.metrics.maker_events_consumed_total.inc({ type, outcome });
  }

  gaveUp(type: string): void {
    this.metrics.maker_events_parked_total.inc({ type });
  }
}
