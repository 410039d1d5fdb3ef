import { WEBHOOK_EVENTS } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { DeliveriesRepository } from '../delivery/deliveries.repository.ts';
import { EndpointsRepository } from '../endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from '../endpoint/watched-endpoints.ts';
import { messageOf } from '../webhook-message.ts';

/** Creates a delivery for each endpoint of every published event, in the transaction that consumes the event: exactly once. */
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
        const receivers = await endpoints.receiversOf(message.occurredAt, named, session);
        await deliveries.record(message, receivers, session);
      });
    }
  }
}
