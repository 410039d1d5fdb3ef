import { randomUUID } from 'node:crypto';
import { type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { type ClientSession, Schema } from 'mongoose';
import { ALL_JOBS, type Fact, type FactKind, type OperatorPause, WORK_FACTS } from './fact.ts';

interface StoredFact extends Fact {
  readonly id: string;
}

const schema = new EntitySchema<StoredFact>('facts', {
  jobId: String,
  kind: String,
  version: String,
  pause: Schema.Types.Mixed,
})
  .index({ jobId: 1 })
  .index({ kind: 1, jobId: 1 });

const idOf = (jobId: string, kind: FactKind) => `${jobId}/${kind}`;

/** Facts in MongoDB. Recording one never writes to the execution, so it cannot conflict with a running tick. */
export class FactsRepository {
  private readonly facts: EntityCollection<StoredFact>;

  /** @param onRecorded called with each transaction that records a fact */
  constructor(
    connection: Connection,
    private readonly onRecorded: (session: ClientSession) => void = () => undefined,
  ) {
    this.facts = new EntityCollection(connection, schema);
  }

  /** Records a fact; an equal fact that is not yet handled stays one row. @param pause only for the kind `pause` */
  async record(jobId: string, kind: FactKind, session: ClientSession, pause?: OperatorPause): Promise<void> {
    await this.facts.rows.updateOne(
      { _id: idOf(jobId, kind) },
      { $set: { jobId, kind, version: randomUUID(), ...(pause && { pause }) } },
      { upsert: true, session },
    );
    this.onRecorded(session);
  }

  /** Facts of some jobs, by job; facts of all jobs are under {@link ALL_JOBS}. One request. */
  async of(jobIds: readonly string[]): Promise<ReadonlyMap<string, readonly Fact[]>> {
    const rows = await this.facts.list({ jobId: { $in: [ALL_JOBS, ...jobIds] } });
    return Map.groupBy(
      rows.map(({ id: _, ...fact }) => fact),
      ({ jobId }) => jobId,
    );
  }

  /** Ids of jobs that have facts to handle, in any phase. */
  async jobsAtWork(kinds: readonly FactKind[] = WORK_FACTS): Promise<readonly string[]> {
    const rows = await this.facts.rows.find({ kind: { $in: [...kinds] } }, { jobId: 1, _id: 0 }).lean<Fact[]>();
    return [...new Set(rows.map(({ jobId }) => jobId))];
  }

  /** Removes facts that a tick has handled, unless they were recorded again meanwhile. */
  async clear(facts: readonly Fact[], session: ClientSession): Promise<void> {
    for (const { jobId, kind, version } of facts) {
      await this.facts.rows.deleteOne({ _id: idOf(jobId, kind), version }, { session });
    }
  }

  /** The operator's pause of a job: its own, or that of all jobs. */
  async pauseOf(jobId: string): Promise<OperatorPause | null> {
    const rows = await this.facts.list({ _id: { $in: [idOf(jobId, 'pause'), idOf(ALL_JOBS, 'pause')] } });
    const own = rows.find((fact) => fact.jobId === jobId) ?? rows[0];
    return own?.pause ?? null;
  }

  /** Operators' pauses, by job or {@link ALL_JOBS}. */
  async pauses(): Promise<ReadonlyMap<string, OperatorPause>> {
    const rows = await this.facts.list({ kind: 'pause' });
    return new Map(rows.flatMap(({ jobId, pause }) => (pause ? [[jobId, pause] as const] : [])));
  }

  /** Ends an operator's pause. @returns whether there was one */
  async resume(jobId: string, session: ClientSession): Promise<boolean> {
    const { deletedCount } = await this.facts.rows.deleteOne({ _id: idOf(jobId, 'pause') }, { session });
    return deletedCount > 0;
  }
}
