import { MOST_EVENTS_ASKED } from '@maker/contracts';
import { type CameRound, Logger, PeriodicTask, SERVICE_NAME, watchdog } from '@maker/service-kit';
import { AckPolicy, type ConsumerMessages, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { EventMetrics } from '../messaging.metrics.ts';
import { EventConsumer, ForgedEventError } from './event-consumer.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { deadLetterSubject, EVENT_STREAM, ensureStreams, eventSubject } from './streams.ts';

const MAX_DELIVER = 8;
const BACKOFF_MS = [200, 1000, 3000, 10_000, 30_000, 60_000, 60_000];
const ACK_WAIT_MS = 30_000;
const RETRY_MS = 1000;
/** Messages fetched in advance: one request to their source can name all of them. */
const MOST_IN_HAND = MOST_EVENTS_ASKED;
/** Most of these of one job: a slow job leaves room for the others. */
const MOST_OF_ONE_JOB = 10;
const NANOSECONDS_PER_MS = 1_000_000;

/**
 * The fast path of events: a durable consumer per service with explicit acknowledgement, a finite number of
 * deliveries with growing pauses, and a dead letter after the last. It recreates streams and consumer after JetStream
 * has lost them; the catch-up then delivers their events.
 */
@Injectable()
export class JetStreamSubscription {
  private readonly task: PeriodicTask;
  private messages: ConsumerMessages | undefined;

  constructor(
    @Inject(SERVICE_NAME) private readonly service: string,
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly consumer: EventConsumer,
    private readonly logger: Logger,
    private readonly metrics: EventMetrics,
  ) {
    this.task = new PeriodicTask('event subscription', RETRY_MS, logger, (cameRound) => this.consume(cameRound));
  }

  start(): void {
    this.task.start();
  }

  /** Stops taking messages and waits for those that are being handled. */
  async stop(): Promise<void> {
    const stopped = this.task.stop();
    await this.messages?.close();
    await stopped;
  }

  private async consume(cameRound: CameRound): Promise<void> {
    const manager = await jetstreamManager(this.nats);
    await ensureStreams(manager);
    const types = [...this.consumer.typesBySource().values()].flat();
    if (types.length === 0) return;
    await manager.consumers.add(EVENT_STREAM, {
      durable_name: this.service,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * NANOSECONDS_PER_MS,
      max_deliver: MAX_DELIVER,
      filter_subjects: types.map(eventSubject).sort(),
    });
    const durable = await jetstream(this.nats).consumers.get(EVENT_STREAM, this.service);
    this.messages = await durable.consume({ abort_on_missing_resource: true, max_messages: MOST_IN_HAND });
    await this.deliverAll(this.messages, cameRound);
  }

  /** Delivers events of one job in order, and several jobs in parallel: a slow or failing job delays no other job. */
  private async deliverAll(messages: ConsumerMessages, cameRound: CameRound): Promise<void> {
    const byJob = new KeyedQueue();
    // A message may be long in coming. Each delivery is watched by itself.
    cameRound(Number.POSITIVE_INFINITY);
    for await (const message of messages) {
      const job = jobOf(message);
      const isLast = message.info.deliveryCount >= MAX_DELIVER;
      if (byJob.waiting(job) >= MOST_OF_ONE_JOB && !isLast) this.postpone(message);
      else void byJob.run(job, () => watchdog.during('event delivery', () => this.deliver(message)));
      if (byJob.size >= MOST_IN_HAND) await byJob.next();
    }
    await byJob.idle();
  }

  /** Never rejects. */
  private async deliver(message: JsMsg): Promise<void> {
    try {
      message.working();
      await this.consumer.deliver(typeOf(message), message.json());
      message.ack();
    } catch (error) {
      const isFinal = error instanceof ForgedEventError || message.info.deliveryCount >= MAX_DELIVER;
      if (!isFinal) return this.postpone(message);
      await this.giveUp(message, error).catch((failure: unknown) =>
        this.logger.error({ err: failure }, 'dead letter not kept, the catch-up finds its event'),
      );
    }
  }

  private postpone(message: JsMsg): void {
    message.nak(BACKOFF_MS[message.info.deliveryCount - 1] ?? BACKOFF_MS.at(-1));
  }

  private async giveUp(message: JsMsg, error: unknown): Promise<void> {
    const type = typeOf(message);
    this.logger.error({ err: error, type }, 'event kept as a dead letter');
    await jetstream(this.nats).publish(deadLetterSubject(this.service, type), message.data);
    this.metrics.gaveUp(type);
    message.term('dead letter');
  }
}

function typeOf({ subject }: JsMsg): string {
  return subject.replace(/^events\./, '');
}

/** The job of an event; its subject where the body names none. */
function jobOf(message: JsMsg): string {
  try {
    const { jobId } = message.json<{ jobId?: unknown }>();
    if (typeof jobId === 'string') return jobId;
  } catch {
    // The delivery refuses the message with its reason.
  }
  return message.subject;
}
