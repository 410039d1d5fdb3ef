import { type EventSource, findEvents, listEvents } from '@maker/contracts';
import { Controller, type Type } from '@nestjs/common';
import type { z } from 'zod';
import { HandleRequest } from '../request/handle-request.ts';
import { Outbox } from './outbox.ts';

/** Creates the controller that answers `<service>.events.list` and `<service>.events.find` from the service's outbox. */
export function eventsController(service: EventSource): Type {
  @Controller()
  class EventsController {
    constructor(private readonly outbox: Outbox) {}

    @HandleRequest(listEvents(service))
    async list(query: z.output<ReturnType<typeof listEvents>['request']>) {
      return { events: await this.outbox.list({ ...query, since: new Date(query.since) }) };
    }

    @HandleRequest(findEvents(service))
    async find({ ids }: { ids: string[] }) {
      return { events: await this.outbox.find(ids) };
    }
  }

  return EventsController;
}
