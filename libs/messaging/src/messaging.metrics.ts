import { EVENT_TYPES, REQUEST_SUBJECTS } from '@maker/contracts';
import { counter, declareMetrics, gauge, histogram, MetricsRegistry, reading, readings } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';

const REQUEST_OUTCOMES = ['answered', 'refused', 'failed', 'timeout', 'unavailable'] as const;
const EVENT_OUTCOMES = ['applied', 'duplicate', 'failed'] as const;

/** Result of a request to another service. */
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

const DROPPED_REPLIES = ['no_request', 'other_id'] as const;

/** Why a reply reaches no request: its inbox has no open request, or it names another one. */
export type DroppedReply = (typeof DROPPED_REPLIES)[number];

/** Result of a delivered event. */
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

/** States of a durable consumer's unfinished messages. */
export const BACKLOG_STATES = ['waiting', 'unacknowledged', 'redelivered'] as const;

/** See {@link BACKLOG_STATES}. */
export type BacklogState = (typeof BACKLOG_STATES)[number];

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
  /** Age of the oldest unpublished event, ms. */
  readonly outboxAgeMs: () => Promise<number>;
  /** Events that no server would accept, which wait for an operator. */
  readonly setAside: () => Promise<number>;
  readonly backlog: () => Promise<ReadonlyMap<BacklogState, number>>;
  readonly deadLetters: () => Promise<number>;
}

/** Event metrics of a service with an outbox and an inbox. */
export class EventMetrics {
  private readonly metrics;

  constructor(registry: Registry, { outboxAgeMs, setAside, backlog, deadLetters }: EventReadings) {
    const labels = { type: EVENT_TYPES };
    this.metrics = declareMetrics(registry, {
      maker_outbox_published_total: counter('Events that JetStream has acknowledged.', labels, []),
      maker_outbox_age_seconds: reading(
        'Age of the oldest event that is recorded but not yet published; 0 when all are published.',
        async () => (await outboxAgeMs()) / 1000,
      ),
      maker_outbox_set_aside_messages: reading(
        'Events that can never be published as they are (too large, invalid) and wait for an operator.',
        setAside,
      ),
      maker_events_consumed_total: counter(
        'Deliveries of events by their result: applied, duplicate or failed.',
        { ...labels, outcome: EVENT_OUTCOMES },
        [],
      ),
      maker_events_recovered_total: counter(
        'Events that JetStream did not deliver and the catch-up found.',
        labels,
        [],
      ),
      maker_events_dead_letters_total: counter(
        'Events given up after the last delivery; each is kept in the DEAD_LETTERS stream.',
        labels,
        [],
      ),
      maker_events_backlog_messages: readings(
        "Messages of the service's durable consumer: waiting to be delivered, delivered and not acknowledged, " +
          'delivered more than once and not acknowledged.',
        'state',
        BACKLOG_STATES,
        backlog,
      ),
      maker_events_dead_letters_waiting: reading(
        'Dead letters of this service that an operator has not removed from the DEAD_LETTERS stream.',
        deadLetters,
      ),
    });
  }

  /** Creates the series of an event type that the service consumes. */
  consumes(type: string): void {
    for (const outcome of EVENT_OUTCOMES) this.metrics.maker_events_consumed_total.inc({ type, outcome }, 0);
    this.metrics.maker_events_recovered_total.inc({ type }, 0);
    this.metrics.maker_events_dead_letters_total.inc({ type }, 0);
  }

  publishedOne(type: string): void {
    this.metrics.maker_outbox_published_total.inc({ type });
  }

  consumedOne(type: string, outcome: EventOutcome): void {
    this.metrics.maker_events_consumed_total.inc({ type, outcome });
  }

  recoveredOne(type: string): void {
    this.metrics.maker_events_recovered_total.inc({ type });
  }

  gaveUp(type: string): void {
    this.metrics.maker_events_dead_letters_total.inc({ type });
  }
}
