import { EVENT_TYPES, REQUEST_SUBJECTS } from '@maker/contracts';
import { declareCounter, declareGauge, declareHistogram, declareReading, declareReadings } from '@maker/service-kit';
import type { Registry } from 'prom-client';

const REQUEST_OUTCOMES = ['answered', 'refused', 'failed', 'timeout', 'unavailable'] as const;
const EVENT_OUTCOMES = ['applied', 'duplicate', 'failed'] as const;

/** How a request to another service ended. */
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** What became of a delivered event. */
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

/** Messages of a service's durable consumer that it has not dealt with. */
export const BACKLOG_STATES = ['waiting', 'unacknowledged', 'redelivered'] as const;

/** See {@link BACKLOG_STATES}. */
export type BacklogState = (typeof BACKLOG_STATES)[number];

/** What every service shows of its connection to NATS and of its requests over it. */
export class NatsMetrics {
  private readonly connected;
  private readonly disconnects;
  private readonly requests;
  private readonly durations;

  constructor(registry: Registry) {
    this.connected = declareGauge(registry, {
      name: 'maker_nats_connected',
      help: '1 while the service is connected to a NATS server, otherwise 0.',
    });
    this.disconnects = declareCounter(registry, {
      name: 'maker_nats_disconnects_total',
      help: 'Lost connections to a NATS server.',
    });
    this.requests = declareCounter(registry, {
      name: 'maker_nats_requests_total',
      help:
        'Requests to other services, as the one who asks sees them: answered, refused for a reason of the product, ' +
        'failed inside the other service, timeout, or unavailable when no replica of it answers.',
      labels: { subject: REQUEST_SUBJECTS, outcome: REQUEST_OUTCOMES },
      initial: [],
    });
    this.durations = declareHistogram(registry, {
      name: 'maker_nats_request_duration_seconds',
      help: 'Time of a request to another service, whatever its end.',
      labels: { subject: REQUEST_SUBJECTS },
      initial: [],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
  }

  connection(connected: boolean): void {
    this.connected.set(connected ? 1 : 0);
    if (!connected) this.disconnects.inc();
  }

  /** @param ms time from the question to its end */
  requested(subject: string, outcome: RequestOutcome, ms: number): void {
    // The first request of a subject makes all its series, so that its first failure is a rise from 0.
    for (const each of REQUEST_OUTCOMES) this.requests.inc({ subject, outcome: each }, each === outcome ? 1 : 0);
    this.durations.observe({ subject }, ms / 1000);
  }
}

/** What a scrape reads of events, and where. */
export interface EventReadings {
  /** Age of the oldest event that is not published, ms. */
  readonly outboxAgeMs: () => Promise<number>;
  /** Events that no server would take, and that wait for an operator. */
  readonly setAside: () => Promise<number>;
  readonly backlog: () => Promise<ReadonlyMap<BacklogState, number>>;
  readonly deadLetters: () => Promise<number>;
}

/** What a service with an outbox and an inbox shows of its events. */
export class EventMetrics {
  private readonly published;
  private readonly consumed;
  private readonly recovered;
  private readonly deadLetters;

  constructor(registry: Registry, readings: EventReadings) {
    const labels = { type: EVENT_TYPES };
    this.published = declareCounter(registry, {
      name: 'maker_outbox_published_total',
      help: 'Events that JetStream has acknowledged.',
      labels,
      initial: [],
    });
    declareReading(registry, {
      name: 'maker_outbox_age_seconds',
      help: 'Age of the oldest event that is recorded but not yet published; 0 when all are out.',
      read: async () => (await readings.outboxAgeMs()) / 1000,
    });
    declareReading(registry, {
      name: 'maker_outbox_set_aside_messages',
      help: 'Events that can never be published as they are (too large, invalid) and wait for an operator.',
      read: readings.setAside,
    });
    this.consumed = declareCounter(registry, {
      name: 'maker_events_consumed_total',
      help: 'Deliveries of events by what became of them: applied, duplicate or failed.',
      labels: { ...labels, outcome: EVENT_OUTCOMES },
      initial: [],
    });
    this.recovered = declareCounter(registry, {
      name: 'maker_events_recovered_total',
      help: 'Events that JetStream did not deliver and the catch-up found.',
      labels,
      initial: [],
    });
    this.deadLetters = declareCounter(registry, {
      name: 'maker_events_dead_letters_total',
      help: 'Events given up after the last delivery; each is kept in the DEAD_LETTERS stream.',
      labels,
      initial: [],
    });
    declareReadings(registry, {
      name: 'maker_events_backlog_messages',
      help:
        "Messages of the service's durable consumer: waiting to be delivered, delivered and not acknowledged, " +
        'delivered more than once and not acknowledged.',
      label: 'state',
      values: BACKLOG_STATES,
      read: readings.backlog,
    });
    declareReading(registry, {
      name: 'maker_events_dead_letters_waiting',
      help: 'Dead letters of this service that an operator has not removed from the DEAD_LETTERS stream.',
      read: readings.deadLetters,
    });
  }

  /** The service takes in this type: its series exist from now on. */
  consumes(type: string): void {
    for (const outcome of EVENT_OUTCOMES) this.consumed.inc({ type, outcome }, 0);
    this.recovered.inc({ type }, 0);
    this.deadLetters.inc({ type }, 0);
  }

  publishedOne(type: string): void {
    this.published.inc({ type });
  }

  consumedOne(type: string, outcome: EventOutcome): void {
    this.consumed.inc({ type, outcome });
  }

  recoveredOne(type: string): void {
    this.recovered.inc({ type });
  }

  gaveUp(type: string): void {
    this.deadLetters.inc({ type });
  }
}
