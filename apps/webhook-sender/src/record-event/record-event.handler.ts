import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { DeliveriesRepository } from '../delivery/deliveries.repository.ts';
import { EndpointsRepository } from '../endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from '../endpoint/watched-endpoints.ts';
import { messageOf, TOLD_EVENTS } from '../message/webhook-message.ts';

/** Makes a delivery for each endpoint of every event that is told, in the transaction that takes it in: once, and none is left out. */
@Injectable()
export class RecordEventHandler {
  constructor(
    consumer: EventConsumer,
    private readonly watched: WatchedEndpoints,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {
    for (const { source, contract } of TOLD_EVENTS) {
      consumer.on(source, contract, (event, session) => this.record(event, session));
    }
  }

  private async record(event: ParsedEvent<Record<string, unknown>>, session: ClientSession): Promise<void> {
    const message = messageOf(event);
    const named = this.watched.all().map(({ name }) => name);
    const told = await this.endpoints.told(message.occurredAt, named, session);
    await this.deliveries.record(message, told, session);
  }
}
