import { Logger, PeriodicTask, SERVICE_NAME } from '@maker/service-kit';
import { AckPolicy, type ConsumerMessages, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { EventMetrics } from '../messaging.metrics.ts';
import { EventConsumer } from './event-consumer.ts';
import { deadLetterSubject, EVENT_STREAM, ensureStreams, eventSubject } from './streams.ts';

const MAX_DELIVER = 8;
const BACKOFF_MS = [200, 1000, 3000, 10_000, 30_000, 60_000, 60_000];
const ACK_WAIT_MS = 30_000;
const RETRY_MS = 1000;
/** Messages that are asked for ahead, and of those that are taken in together the most at once. */
const MOST_IN_HAND = 50;
const NANOSECONDS_PER_MS = 1_000_000;

/**
 * The fast path of events: a durable consumer per service with explicit acknowledgement, a finite number of
 * deliveries with growing pauses, and a dead letter after the last. Streams and consumer are made anew when JetStream
 * has lost them; what they held then comes by the catch-up.
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
    this.messages = await durable.consume({ abort_on_missing_resource: true, max_messages: MOST_IN_HAND });
    await this.deliverAll(this.messages);
  }

  /** One after the other, but for those of a type that is taken in together. */
  private async deliverAll(messages: ConsumerMessages): Promise<void> {
    const inHand = new Set<Promise<void>>();
    for await (const message of messages) {
      const isAlone = !this.consumer.takesTogether(typeOf(message));
      if (isAlone) await Promise.all(inHand);
      const delivered = this.deliver(message).finally(() => inHand.delete(delivered));
      inHand.add(delivered);
      if (isAlone || inHand.size >= MOST_IN_HAND) await Promise.all(inHand);
    }
    await Promise.all(inHand);
  }

  /** Never rejects. */
  private async deliver(message: JsMsg): Promise<void> {
    try {
      await this.consumer.process(message.json());
      message.ack();
    } catch (error) {
      if (message.info.deliveryCount < MAX_DELIVER)
        return message.nak(BACKOFF_MS[message.info.deliveryCount - 1] ?? BACKOFF_MS.at(-1));
      await this.giveUp(message, error).catch((failure: unknown) =>
        this.logger.error({ err: failure }, 'a dead letter could not be kept; the catch-up finds its event'),
      );
    }
  }

  private async giveUp(message: JsMsg, error: unknown): Promise<void> {
    const type = typeOf(message);
    this.logger.error({ err: error, type }, 'an event is given up and kept as a dead letter');
    await jetstream(this.nats).publish(deadLetterSubject(this.service, type), message.data);
    this.metrics.gaveUp(type);
    message.term('dead letter');
  }
}

function typeOf({ subject }: JsMsg): string {
  return subject.replace(/^events\./, '');
}
