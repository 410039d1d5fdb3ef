import { EVENT_SOURCES, type Event, type EventSource, findEvents, ordersMined, paymentSeen } from '@maker/contracts';
import { BatchQueue } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { RequestClient } from '../request/request-client.ts';

/** They come often and decide nothing. */
const BELIEVED_AS_TOLD: ReadonlySet<string> = new Set([ordersMined.type, paymentSeen.type]);

type Found = PromiseSettledResult<Event | undefined>;

/** Reads events as their sources recorded them: who may publish an event cannot make one up. Source: docs/adr/0119. */
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
  async find(source: EventSource, told: Event): Promise<Event | undefined> {
    if (BELIEVED_AS_TOLD.has(told.type)) return told;
    const recorded = await this.questions.get(source)?.run(told.id);
    return recorded?.type === told.type ? recorded : undefined;
  }

  private async findAll(source: EventSource, ids: string[]): Promise<Found[]> {
    const answer = await this.requests.request(findEvents(source), { ids }).catch((reason: unknown) => ({ reason }));
    if ('reason' in answer) return ids.map(() => ({ status: 'rejected', reason: answer.reason }));
    const byId = new Map(answer.events.map((event) => [event.id, event]));
    // The answer may have been full: these are asked for one by one.
    if (ids.length > 1 && ids.some((id) => !byId.has(id))) throw new Error('Not every event was found at once');
    return ids.map((id) => ({ status: 'fulfilled', value: byId.get(id) }));
  }
}
