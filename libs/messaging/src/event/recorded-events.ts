import { EVENT_SOURCES, type Event, type EventSource, findEvents, ordersMined, paymentSeen } from '@maker/contracts';
import { BatchQueue } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { RequestClient } from '../request/request-client.ts';

/** Types without a check at the source: they are frequent and decide nothing. */
const UNCHECKED_TYPES: ReadonlySet<string> = new Set([ordersMined.type, paymentSeen.type]);

type Found = PromiseSettledResult<Event | undefined>;

/** Reads events from their sources' records, so that a publisher cannot forge an event. Source: docs/adr/0119. */
@Injectable()
export class RecordedEvents {
  private readonly questions: ReadonlyMap<EventSource, BatchQueue<string, Event | undefined>>;

  constructor(private readonly requests: RequestClient) {
    const queueOf = (source: EventSource) =>
      new BatchQueue<string, Event | undefined>((batch) =>
        this.findAll(
          source,
          batch.map(({ piece }) => piece),
        ),
      );
    this.questions = new Map(EVENT_SOURCES.map((source) => [source, queueOf(source)]));
  }

  /** @returns undefined where the source recorded no event of this id and type @throws RequestFailedError */
  async find(source: EventSource, reported: Event): Promise<Event | undefined> {
    if (UNCHECKED_TYPES.has(reported.type)) return reported;
    const recorded = await this.questions.get(source)?.run(reported.id);
    return recorded?.type === reported.type ? recorded : undefined;
  }

  private async findAll(source: EventSource, ids: string[]): Promise<Found[]> {
    const answer = await this.requests.request(findEvents(source), { ids }).catch((reason: unknown) => ({ reason }));
    if ('reason' in answer) return ids.map(() => ({ status: 'rejected', reason: answer.reason }));
    const byId = new Map(answer.events.map((event) => [event.id, event]));
    // The answer may have been full: the queue then requests the events one by one.
    if (ids.length > 1 && ids.some((id) => !byId.has(id))) throw new Error('One answer did not contain every event');
    return ids.map((id) => ({ status: 'fulfilled', value: byId.get(id) }));
  }
}
