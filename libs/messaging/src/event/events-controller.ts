import { type EventPage, type EventSource, listEvents } from '@maker/contracts';
import { Controller, type Type } from '@nestjs/common';
import type { z } from 'zod';
import { HandleRequest } from '../request/handle-request.ts';
import { EventLog } from './event-log.ts';

/** Creates the controller that answers `<service>.events.list` from the service's log. */
export function eventsController(service: EventSource): Type {
  @Controller()
  class EventsController {
    constructor(private readonly log: EventLog) {}

    @HandleRequest(listEvents(service))
    list(query: z.output<ReturnType<typeof listEvents>['request']>): Promise<EventPage> {
      return this.log.read(query);
    }
  }

  return EventsController;
}
