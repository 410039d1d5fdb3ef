import { type EventSource, listEvents } from '@maker/contracts';
import { Controller, type Type } from '@nestjs/common';
import { HandleRequest } from '../request/handle-request.ts';
import { Outbox } from './outbox.ts';

/** The controller that answers `<service>.events.list` from the service's outbox. */
export function eventsController(service: EventSource): Type {
  const contract = listEvents(service);

  @Controller()
  class EventsController {
    constructor(private readonly outbox: Outbox) {}

    @HandleRequest(contract)
    async list(query: { since: string; afterId?: string | undefined; types: string[]; limit: number }) {
      return { events: await this.outbox.list({ ...query, since: new Date(query.since) }) };
    }
  }

  return EventsController;
}
