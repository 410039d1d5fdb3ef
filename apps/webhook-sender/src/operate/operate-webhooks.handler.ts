import {
  listWebhookDeliveries,
  listWebhookEndpoints,
  type Redelivery,
  redeliverWebhooks,
  type WebhookDelivery,
} from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { DeliveriesRepository, type Delivery, type DeliveryFilter } from '../delivery/deliveries.repository.ts';
import { EndpointsRepository } from '../endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from '../endpoint/watched-endpoints.ts';

/** Answers operators: lists endpoints and deliveries, and redelivers messages. */
@Controller()
export class OperateWebhooksHandler {
  constructor(
    private readonly watched: WatchedEndpoints,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  @HandleRequest(listWebhookEndpoints)
  async listEndpoints() {
    const states = await this.endpoints.states();
    const endpoints = states.map(async ({ name, since, failingSince }) => {
      const { count, oldest } = await this.deliveries.waiting(name);
      const host = this.watched.all().find((endpoint) => endpoint.name === name)?.url.host;
      return {
        name,
        ...(host !== undefined && { host }),
        since: since.toISOString(),
        waiting: count,
        ...(oldest && { oldestWaitingSince: oldest.toISOString() }),
        ...(failingSince && { failingSince: failingSince.toISOString() }),
      };
    });
    return { endpoints: await Promise.all(endpoints) };
  }

  @HandleRequest(listWebhookDeliveries)
  async listDeliveries(filter: DeliveryFilter) {
    return { deliveries: (await this.deliveries.list(filter)).map(deliveryOf) };
  }

  @HandleRequest(redeliverWebhooks)
  async redeliver(wanted: Redelivery) {
    const { endpoint } = wanted;
    if (!this.watched.all().some(({ name }) => name === endpoint)) {
      throw new RequestFailure('NOT_POSSIBLE_NOW', `There is no endpoint ${endpoint} in the file`);
    }
    const which = 'eventId' in wanted ? { eventId: wanted.eventId } : { since: new Date(wanted.since) };
    const count = await this.deliveries.redeliver(endpoint, which);
    if (count === 0) throw new RequestFailure('NOT_FOUND', `There is no such message for ${endpoint}`);
    return { outcome: `${count} message${count === 1 ? '' : 's'} to ${endpoint} will be sent again` };
  }
}

function deliveryOf(delivery: Delivery): WebhookDelivery {
  const { endpoint, eventId, type, jobId, occurredAt, state, attempts, dueAt, log } = delivery;
  return {
    ...{ endpoint, eventId, type, jobId, state, attempts },
    occurredAt: occurredAt.toISOString(),
    ...(state === 'waiting' && { nextAttemptAt: dueAt.toISOString() }),
    log: log.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
  };
}
