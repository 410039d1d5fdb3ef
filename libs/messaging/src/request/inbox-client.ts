import { randomBytes } from 'node:crypto';
import { responderOf } from '@maker/contracts';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { ClientNats, type NatsOptions, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import type { NatsMetrics } from '../messaging.metrics.ts';

/** Status of the server's message in place of a reply when no service subscribes to a request. */
const NO_RESPONDERS = 503;

type Reply = Partial<WritePacket> & { readonly id?: unknown };

/** 128 random bits as a part of a subject. */
const randomPart = (): string => randomBytes(16).toString('hex');

/**
 * Nest's NATS client with an inbox for each request: `_INBOX.<requester>.<responder>.<process>.<request>`. Only the responder's user
 * may publish there, and the two random parts hide the inbox from all others. Nest names inboxes by a counter, and accepts a reply
 * without the request's id. One subscription for all requests of the process. Source: docs/adr/0141.
 */
export class InboxClient extends ClientNats {
  /** Ids of open requests by inbox; Nest's `routingMap` has their callbacks. */
  private readonly open = new Map<string, string>();
  private readonly process = randomPart();

  /** @param requester the service, and its user */
  constructor(
    private readonly requester: string,
    options: NonNullable<NatsOptions['options']>,
    private readonly metrics: NatsMetrics,
  ) {
    super(options);
  }

  override async createClient(): Promise<NatsConnection> {
    const connection = (await super.createClient()) as NatsConnection;
    const callback = (error: Error | null, message: Msg) => this.receive(error, message);
    connection.subscribe(`_INBOX.${this.requester}.*.${this.process}.*`, { callback });
    return connection;
  }

  protected override publish(partialPacket: ReadPacket, callback: (packet: WritePacket) => unknown): () => void {
    const packet = this.assignPacketId(partialPacket);
    const inbox = `_INBOX.${this.requester}.${responderOf(packet.pattern)}.${this.process}.${randomPart()}`;
    this.routingMap.set(packet.id, callback);
    this.open.set(inbox, packet.id);
    const end = (): void => {
      this.routingMap.delete(packet.id);
      this.open.delete(inbox);
    };
    try {
      const { data, headers } = this.serializer.serialize(packet);
      this.unwrap<NatsConnection>().publish(packet.pattern, data, { reply: inbox, headers });
    } catch (err) {
      end();
      callback({ err });
    }
    return end;
  }

  private receive(error: Error | null, message: Msg): void {
    if (error) {
      this.logger.error(error);
      return;
    }
    const id = this.open.get(message.subject);
    const callback = id === undefined ? undefined : this.routingMap.get(id);
    const reply: Reply =
      message.headers?.code === NO_RESPONDERS ? { id, err: new Error('No service answers') } : replyOf(message);
    if (!callback) {
      this.metrics.replyDropped('no_request');
    } else if (reply.id !== id) {
      this.metrics.replyDropped('other_id');
      this.logger.error('reply refused: it does not have the id of its request');
    } else {
      const { err, response, isDisposed } = reply;
      callback({ err, response, isDisposed: isDisposed || Boolean(err) });
    }
  }
}

/** @returns an empty reply where the body is no object */
function replyOf(message: Msg): Reply {
  try {
    return { ...message.json<WritePacket>() };
  } catch {
    return {};
  }
}
