import { PeriodicTask } from '@maker/service-kit';
import { AckPolicy, type ConsumerMessages, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { EventMetrics } from '../messaging.metrics.ts';
import type { EventConsumer } from './event-consumer.ts';
import { deadLetterSubject, EVENT_STREAM, ensureStreams, eventSubject } from './streams.ts';

const MAX_DELIVER = 8;
const BACKOFF_MS = [200, 1000, 3000, 10_000, 30_000, 60_000, 60_000];
const ACK_WAIT_MS = 30_000;
const RETRY_MS = 1000;
const NANOSECONDS_PER_MS = 1_000_000;

/**
 * The fast path of events: a durable consumer per service with explicit acknowledgement, a finite number of
 * deliveries with growing pauses, and a dead letter after the last. Streams and consumer are made anew when JetStream
 * has lost them; what they held then comes by the catch-up.
 */
export class JetStreamSubscription {
  private readonly task: PeriodicTask;
  private messages: ConsumerMessages | undefined;

  constructor(
    private readonly service: string,
    private readonly nats: NatsConnection,
    private readonly consumer: EventConsumer,
    private readonly logger: Logger,
    private readonly metrics: EventMetrics,
  ) {
    this.task = new PeriodicTask('event subscription', RETRY_MS, logger, () => this.consume());
  }

  start(): void {
    this.task.start();
  }

  /** Stops taking messages and waits for the one in hand. */
  async stop(): Promise<void> {
    const stopped = this.task.stop();
    await this.messages?.close();
    await stopped;
  }

  private async consume(): Promise<void> {
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
    this.messages = await durable.consume({ abort_on_missing_resource: true, max_messages: 50 });
    for await (const message of this.messages) await this.deliver(message);
  }

  private async deliver(message: JsMsg): Promise<void> {
    try {
      await this.consumer.process(message.json());
      message.ack();
    } catch (error) {
      if (message.info.deliveryCount >= MAX_DELIVER) await this.giveUp(message, error);
      else message.nak(BACKOFF_MS[message.info.deliveryCount - 1] ?? BACKOFF_MS.at(-1));
    }
  }

  private async giveUp(message: JsMsg, error: unknown): Promise<void> {
    const type = message.subject.replace(/^events\./, '');
    this.logger.error({ err: error, type }, 'an event is given up and kept as a dead letter');
    await jetstream(this.nats).publish(deadLetterSubject(this.service, type), message.data);
    this.metrics.gaveUp(type);
    message.term('dead letter');
  }
}
