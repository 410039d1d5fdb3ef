import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';

/** An endpoint's own state, as all replicas know it; what must not be known of it is in the file alone. */
interface EndpointState {
  readonly name: string;
  /** From when on it is told what happens. */
  readonly since: Date;
  /** When a replica last found it in its file. */
  readonly listedAt: Date;
  /** Since when no attempt has succeeded; absent while they do. */
  readonly failingSince?: Date;
  /** When what waits was last made due at once, since it answered again. */
  readonly wokenAt?: Date;
}

/** An endpoint that no replica has found in its file for this long is no longer told, ms. */
const FORGOTTEN_AFTER_MS = 600_000;

/** Between two times at which all that waits becomes due at once, ms: an endpoint that takes some and refuses others is not asked without end. */
const WAKE_PAUSE_MS = 600_000;

const schema = new EntitySchema<EndpointState, 'name'>(
  'endpoints',
  { since: Date, listedAt: Date, failingSince: Date, wokenAt: Date },
  'name',
);

/** Which endpoints are told, for every replica alike, whichever of them read the file first. */
@Injectable()
export class EndpointsRepository {
  private readonly endpoints: EntityCollection<EndpointState, 'name'>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.endpoints = new EntityCollection(connection, schema);
  }

  /** These are in the file now; a new one is told what happens from here on. */
  async list(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const now = new Date(this.clock.now());
    await this.endpoints.rows.bulkWrite(
      names.map((name) => ({
        updateOne: {
          filter: { _id: name },
          update: { $set: { listedAt: now }, $setOnInsert: { since: now } },
          upsert: true,
        },
      })),
    );
  }

  /**
   * Names of those that are told of what happened at a time.
   * @param named in the file of the one who asks: told in any case, also after an outage in which nobody could say so
   */
  async told(occurredAt: Date, named: readonly string[], session: ClientSession): Promise<string[]> {
    const listedSince = new Date(this.clock.now() - FORGOTTEN_AFTER_MS);
    const listed = [{ listedAt: { $gt: listedSince } }, { _id: { $in: [...named] } }];
    const told = await this.endpoints.list({ since: { $lte: occurredAt }, $or: listed }, { session });
    return told.map(({ name }) => name);
  }

  /** All that ever were. */
  async states(): Promise<EndpointState[]> {
    return this.endpoints.list({}, { sort: { _id: 1 } });
  }

  async failed(name: string): Promise<void> {
    await this.endpoints.rows.updateOne(
      { _id: name, failingSince: { $exists: false } },
      { $set: { failingSince: new Date(this.clock.now()) } },
    );
  }

  /** @returns whether it answers again after it did not: what waits for it need not wait any longer */
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
