import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { WebhookMessage } from '../webhook-message.ts';
import { type EndpointChoice, receives } from './endpoint.ts';

/** State of an endpoint that all replicas share. Its URL and secrets are only in the file. */
interface EndpointState extends EndpointChoice {
  readonly name: string;
  /** Start of its events: earlier events are not sent to it. */
  readonly since: Date;
  /** Last time at which a replica found it in its file. */
  readonly listedAt: Date;
  /** Start of its failures; absent while attempts succeed. */
  readonly failingSince?: Date;
  /** Last time at which its waiting messages became due because it answered again. */
  readonly wokenAt?: Date;
}

/** Time after which an endpoint that no replica finds in its file gets no more messages, ms. */
const FORGOTTEN_AFTER_MS = 600_000;

/** Shortest time between two wake-ups of an endpoint's messages, ms. It limits requests to an endpoint that accepts only some messages. */
const WAKE_PAUSE_MS = 600_000;

/** Without a value, the field stays absent: an empty list would choose nothing. */
const LIST = { type: [String], default: undefined } as const;

const schema = new EntitySchema<EndpointState, 'name'>(
  'endpoints',
  { since: Date, listedAt: Date, failingSince: Date, wokenAt: Date, keys: LIST, events: LIST },
  'name',
);

/** Stores which endpoints receive messages, the same for all replicas. */
@Injectable()
export class EndpointsRepository {
  private readonly endpoints: EntityCollection<EndpointState, 'name'>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.endpoints = new EntityCollection(connection, schema);
  }

  /** Records the endpoints of the file. A new one receives events from now on. */
  async list(endpoints: readonly (EndpointChoice & { readonly name: string })[]): Promise<void> {
    if (endpoints.length === 0) return;
    const now = new Date(this.clock.now());
    await this.endpoints.rows.bulkWrite(
      endpoints.map(({ name, keys, events }) => ({
        updateOne: {
          filter: { _id: name },
          update: {
            $set: { listedAt: now, ...(keys && { keys }), ...(events && { events }) },
            $unset: { ...(!keys && { keys: 1 }), ...(!events && { events: 1 }) },
            $setOnInsert: { since: now },
          },
          upsert: true,
        },
      })),
    );
  }

  /**
   * Returns the names of the endpoints that receive an event.
   * @param apiKeyName key that created its job
   * @param named endpoints in this replica's file: they always receive it, also after an outage in which no replica listed them
   */
  async receiversOf(
    { type, occurredAt }: Pick<WebhookMessage, 'type' | 'occurredAt'>,
    apiKeyName: string | undefined,
    named: readonly string[],
    session: ClientSession,
  ): Promise<string[]> {
    const listedSince = new Date(this.clock.now() - FORGOTTEN_AFTER_MS);
    const listed = [{ listedAt: { $gt: listedSince } }, { _id: { $in: [...named] } }];
    const receivers = await this.endpoints.list({ since: { $lte: occurredAt }, $or: listed }, { session });
    return receivers.filter((one) => receives(one, type, apiKeyName)).map(({ name }) => name);
  }

  /** All endpoints that were ever listed. */
  async states(): Promise<EndpointState[]> {
    return this.endpoints.list({}, { sort: { _id: 1 } });
  }

  async failed(name: string): Promise<void> {
    await this.endpoints.rows.updateOne(
      { _id: name, failingSince: { $exists: false } },
      { $set: { failingSince: new Date(this.clock.now()) } },
    );
  }

  /** @returns whether the endpoint recovered, so that its waiting messages become due */
  async answered(name: string): Promise<boolean> {
    const now = this.clock.now();
    const wokenBefore = new Date(now - WAKE_PAUSE_MS);
    const result = await this.endpoints.rows.updateOne(
      {
        _id: name,
        failingSince: { $exists: true },
        $or: [{ wokenAt: { $exists: false } }, { wokenAt: { $lt: wokenBefore } }],
      },
      { $set: { wokenAt: new Date(now) }, $unset: { failingSince: 1 } },
    );
    return result.modifiedCount > 0;
  }
}
