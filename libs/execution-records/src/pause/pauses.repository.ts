import { type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { PauseReason } from '@maker/rules';
import type { ClientSession } from 'mongoose';
import type { Execution } from '../execution/execution.ts';
import { ALL_JOBS } from '../fact/fact.ts';

/** A time in which a job waited. */
export interface Pause {
  readonly id: string;
  /** A job's id, or `ALL_JOBS`. */
  readonly jobId: string;
  readonly reason: PauseReason;
  /** Chain time, like `until`. */
  readonly since: Date;
  /** Null while the pause lasts. */
  readonly until: Date | null;
}

const schema = new EntitySchema<Pause>('pauses', { jobId: String, reason: String, since: Date, until: Date }).index({
  jobId: 1,
  since: -1,
});

type Lifetime = Pick<Execution, 'id' | 'createdAt' | 'endedAt'>;

/** Every pause of every job, for the receipt. The transaction that pauses a job also writes its row. Source: specification § 9. */
export class PausesRepository {
  private readonly pauses: EntityCollection<Pause>;

  constructor(connection: Connection) {
    this.pauses = new EntityCollection(connection, schema);
  }

  async begin(pause: Omit<Pause, 'until'>, session: ClientSession): Promise<void> {
    await this.pauses.insert([{ ...pause, until: null }], session);
  }

  /** Ends the open automatic pause, if there is one. */
  async end(jobId: string, until: Date, session: ClientSession): Promise<void> {
    await this.pauses.update({ jobId, until: null, reason: { $ne: 'operator' } }, { $set: { until } }, session);
  }

  async endByOperator(jobId: string, until: Date, session: ClientSession): Promise<void> {
    await this.pauses.update({ jobId, until: null, reason: 'operator' }, { $set: { until } }, session);
  }

  /** The newest pauses of a job, oldest first, and the number of all. */
  async newest(job: Lifetime, most: number): Promise<{ readonly pauses: readonly Pause[]; readonly inAll: number }> {
    const [pauses, inAll] = await Promise.all([
      this.pauses.list(concerning(job), { sort: { since: -1 }, limit: most }),
      this.pauses.rows.countDocuments(concerning(job)),
    ]);
    return { pauses: pauses.reverse(), inAll };
  }

  /** All pauses of a job, oldest first. */
  ofJob(job: Lifetime): Promise<readonly Pause[]> {
    return this.pauses.list(concerning(job), { sort: { since: 1, _id: 1 } });
  }
}

/** A job's own pauses, and those of all jobs while it ran. */
function concerning({ id, createdAt, endedAt }: Lifetime) {
  const ofAll = {
    jobId: ALL_JOBS,
    ...(endedAt && { since: { $lt: endedAt } }),
    $or: [{ until: null }, { until: { $gt: createdAt } }],
  };
  return { $or: [{ jobId: id }, ofAll] };
}
