import { getJobCreator, type JobCreator, WEBHOOK_EVENTS } from '@maker/contracts';
import { EventConsumer, RequestClient } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DeliveriesRepository } from '../delivery/deliveries.repository.ts';
import { EndpointsRepository } from '../endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from '../endpoint/watched-endpoints.ts';
import { messageOf } from '../webhook-message.ts';

/** Most remembered creators of jobs, of at most about 50 KB each. */
const MOST_REMEMBERED = 1000;

/**
 * Creates a delivery for each endpoint that chooses a published event, in the transaction that consumes the event: exactly once. The job
 * service says who created the job; while it does not answer, the event waits. Source: docs/adr/0171.
 */
@Injectable()
export class RecordEventHandler {
  /** Read-through: the creator of a job never changes. */
  private readonly creators = new LRUCache<string, JobCreator>({ max: MOST_REMEMBERED });

  constructor(
    consumer: EventConsumer,
    private readonly requests: RequestClient,
    watched: WatchedEndpoints,
    endpoints: EndpointsRepository,
    deliveries: DeliveriesRepository,
  ) {
    for (const { source, contract } of WEBHOOK_EVENTS) {
      consumer.onProven(
        source,
        contract,
        ({ jobId }) => this.creatorOf(jobId),
        async (event, creator, session) => {
          const message = messageOf(event, creator);
          const named = watched.all().map(({ name }) => name);
          const receivers = await endpoints.receiversOf(message, creator.apiKeyName, named, session);
          await deliveries.record(message, receivers, session);
        },
      );
    }
  }

  private async creatorOf(jobId: string): Promise<JobCreator> {
    const known = this.creators.get(jobId);
    if (known) return known;
    const creator = await this.requests.request(getJobCreator, { jobId });
    this.creators.set(jobId, creator);
    return creator;
  }
}
