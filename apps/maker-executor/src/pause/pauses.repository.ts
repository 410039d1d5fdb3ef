import { MONGO_CONNECTION } from '@maker/persistence';
import type { PauseReason } from '@maker/rules';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession, Connection } from 'mongoose';
import { StoredCollection } from '../storage/stored-collection.ts';

/** A time in which a job waited. */
export interface Pause {
  /** Job and revision of the execution that began it. */
  readonly id: string;
  readonly jobId: string;
  readonly reason: PauseReason;
  readonly since: Date;
  /** null while it lasts. */
  readonly until: Date | null;
}

/** Every pause of every job, for the receipt: written in the same transaction as what it is about. Source: specification § 9. */
@Injectable()
export class PausesRepository implements OnModuleInit {
  private readonly pauses: StoredCollection<Pause>;

  constructor(@Inject(MONGO_CONNECTION) connection: Connection) {
    this.pauses = new StoredCollection(connection, 'pauses');
  }

  async onModuleInit(): Promise<void> {
    await this.pauses.rows.createIndex({ jobId: 1, since: -1 });
  }

  async begin(pause: Omit<Pause, 'until'>, session: ClientSession): Promise<void> {
    await this.pauses.insert([{ ...pause, until: null }], session);
  }

  /** Ends the one that lasts, if one does. */
  async end(jobId: string, until: Date, session: ClientSession): Promise<void> {
    await this.pauses.update({ jobId, until: null }, { $set: { until } }, session);
  }

  /** The newest pauses of a job, oldest first, and how many there were in all. */
  async newest(jobId: string, most: number): Promise<{ readonly pauses: readonly Pause[]; readonly inAll: number }> {
    const [pauses, inAll] = await Promise.all([
      this.pauses.list({ jobId }, { sort: { since: -1 }, limit: most }),
      this.pauses.rows.countDocuments({ jobId }),
    ]);
    return { pauses: pauses.reverse(), inAll };
  }
}
