import { WEBHOOK_EVENTS } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { DeliveriesRepository } from '../delivery/deliveries.repository.ts';
import { EndpointsRepository } from '../endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from '../endpoint/watched-endpoints.ts';
import { messageOf } from '../message/webhook-message.ts';

/** Makes a delivery for each endpoint of every event that is told, in the transaction that takes it in: once, and none is left out. */
@Injectable()
export class RecordEventHandler {
  constructor(
    consumer: EventConsumer,
    watched: WatchedEndpoints,
    endpoints: EndpointsRepository,
    deliveries: DeliveriesRepository,
  ) {
    for (const { source, contract } of WEBHOOK_EVENTS) {
      consumer.on(source, contract, async (event, session) => {
        const message = messageOf(event);
        const named = watched.all().map(({ name }) => name);
        const told = await endpoints.told(message.occurredAt, named, session);
        await deliveries.record(message, told, session);
      });
    }
  }
}
