import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { type NatsContext, ServerNats } from '@nestjs/microservices';

/** Longest wait for running requests, ms: as long as a caller waits by default. */
const FINISH_MS = 5_000;

/**
 * Nest's NATS server, extended to answer every received request at shutdown. Nest itself drops its subscriptions, and with
 * them the requests that the broker has already sent. It also waits a fixed time for running requests, regardless of their
 * number.
 */
export class DrainingNatsServer extends ServerNats {
  private connection: NatsConnection | undefined;
  private readonly taken: Subscription[] = [];
  private running = 0;
  private finished: (() => void) | undefined;

  override async createNatsClient(): Promise<NatsConnection> {
    this.connection = (await super.createNatsClient()) as NatsConnection;
    return this.connection;
  }

  override bindEvents(client: NatsConnection): void {
    const subscribe: NatsConnection['subscribe'] = (subject, options) => {
      const subscription = client.subscribe(subject, options);
      this.taken.push(subscription);
      return subscription;
    };
    super.bindEvents({ subscribe });
  }

  /** Calls back only after the broker knows the subscriptions. */
  override start(callback: (error?: unknown) => void): void {
    super.start(() => {
      this.connection?.flush().then(() => callback(), callback);
    });
  }

  override async handleMessage(channel: string, message: Msg): Promise<void> {
    this.begin();
    try {
      await super.handleMessage(channel, message);
    } finally {
      this.end();
    }
  }

  override getPublisher(
    message: Msg,
    id: string,
    context: NatsContext,
  ): (response: { isDisposed?: boolean }) => unknown {
    const publish = super.getPublisher(message, id, context);
    if (!message.reply) return publish;
    this.begin();
    let open = true;
    return (response) => {
      const published = publish(response);
      if (open && response.isDisposed) {
        open = false;
        this.end();
      }
      return published;
    };
  }

  override async close(): Promise<void> {
    const giveUp = new AbortController();
    const finish = async (): Promise<void> => {
      // The broker now sends new requests to other replicas; the client still delivers those already sent.
      await Promise.all(this.taken.map((subscription) => subscription.drain()));
      await turn();
      if (this.running > 0)
        await new Promise<void>((resolve) => {
          this.finished = resolve;
        });
      await this.connection?.drain();
    };
    const tooLong = wait(FINISH_MS, undefined, { signal: giveUp.signal }).catch(() => undefined);
    try {
      await Promise.race([finish(), tooLong]);
    } catch (error) {
      this.logger.error(error);
    } finally {
      giveUp.abort();
    }
    await super.close();
  }

  private begin(): void {
    this.running += 1;
  }

  private end(): void {
    this.running -= 1;
    if (this.running === 0) this.finished?.();
  }
}
