import { Connection, rowSchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession, Model } from 'mongoose';

/** An endpoint as all replicas know it; what must not be known of it is in the file alone. */
interface EndpointRow {
  /** Its name. */
  _id: string;
  /** From when on it is told what happens. */
  since: Date;
  /** When a replica last found it in its file. */
  listedAt: Date;
  /** Since when no attempt has succeeded; absent while they do. */
  failingSince?: Date;
  /** When what waits was last made due at once, since it answered again. */
  wokenAt?: Date;
}

/** An endpoint that no replica has found in its file for this long is no longer told, ms. */
const FORGOTTEN_AFTER_MS = 600_000;

/** Between two times at which all that waits becomes due at once, ms: an endpoint that takes some and refuses others is not asked without end. */
const WAKE_PAUSE_MS = 600_000;

const schema = rowSchema<EndpointRow>('endpoints', {
  _id: String,
  since: { type: Date, required: true },
  listedAt: { type: Date, required: true },
  failingSince: Date,
  wokenAt: Date,
});

/** An endpoint's own state. */
export interface EndpointState {
  readonly name: string;
  readonly since: Date;
  readonly failingSince?: Date;
}

/** Which endpoints are told, for every replica alike, whichever of them read the file first. */
@Injectable()
export class EndpointsRepository {
  private readonly rows: Model<EndpointRow>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.rows = connection.model<EndpointRow>('Endpoint', schema);
  }

  /** These are in the file now; a new one is told what happens from here on. */
  async list(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const now = new Date(this.clock.now());
    await this.rows.bulkWrite(
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
    const rows = await this.rows
      .find({ since: { $lte: occurredAt }, $or: listed }, { _id: 1 })
      .session(session)
      .lean();
    return rows.map(({ _id }) => _id);
  }

  /** All that ever were. */
  async states(): Promise<EndpointState[]> {
    const rows = await this.rows.find().sort({ _id: 1 }).lean();
    return rows.map(({ _id, since, failingSince }) => ({ name: _id, since, ...(failingSince && { failingSince }) }));
  }

  async failed(name: string): Promise<void> {
    await this.rows.updateOne(
      { _id: name, failingSince: { $exists: false } },
      { $set: { failingSince: new Date(this.clock.now()) } },
    );
  }

  /** @returns whether it answers again after it did not: what waits for it need not wait any longer */
  async answered(name: string): Promise<boolean> {
    const now = this.clock.now();
    const wokenBefore = new Date(now - WAKE_PAUSE_MS);
    const result = await this.rows.updateOne(
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
