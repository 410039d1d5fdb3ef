import type { Event, EventSource } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { Schema } from 'mongoose';
import type { ParkedState } from '../messaging.metrics.ts';

/** An event that failed, or that waits behind one of its job. */
export interface ParkedEvent {
  readonly id: string;
  readonly source: EventSource;
  readonly number: number;
  readonly jobId: string;
  readonly event: Event;
  /** Whether later rows of its job wait for it. A row that waits for another event blocks none. */
  readonly blocks: boolean;
  readonly attempts: number;
  readonly error?: string;
  readonly parkedAt: Date;
  /** Time of its next attempt; absent behind another row. An operator sets it to now to repeat the event. */
  readonly retryAt?: Date;
}

/** A row from this number of attempts on waits for an operator, and is still repeated every minute. */
const MOST_ATTEMPTS = 8;

const schema = new EntitySchema<ParkedEvent>('parked_events', {
  source: String,
  number: Number,
  jobId: String,
  event: Schema.Types.Mixed as never,
  blocks: Boolean,
  attempts: Number,
  error: String,
  parkedAt: Date,
  retryAt: Date,
});
schema.index({ source: 1, jobId: 1, number: 1 });

/** The events that a service could not apply yet, in its own database. Source: docs/adr/0166. */
@Injectable()
export class ParkedEvents {
  private readonly rows: EntityCollection<ParkedEvent>;

  constructor(connection: Connection) {
    this.rows = new EntityCollection(connection, schema);
  }

  /** Keeps a row; does nothing if it is kept already. */
  async park({ id, ...row }: ParkedEvent): Promise<void> {
    await this.rows.rows.updateOne({ _id: id }, { $setOnInsert: schema.stored(row) }, { upsert: true });
  }

  /** Notes a failed attempt. @returns whether this was the last one before an operator is told */
  async fail(
    row: ParkedEvent,
    { error, blocks, retryAt }: Required<Pick<ParkedEvent, 'error' | 'blocks' | 'retryAt'>>,
  ) {
    const attempts = row.attempts + 1;
    await this.rows.update({ _id: row.id }, { $set: { attempts, error, blocks, retryAt } });
    return attempts === MOST_ATTEMPTS;
  }

  async remove(id: string): Promise<void> {
    await this.rows.rows.deleteOne({ _id: id });
  }

  /** All rows of a source's job, in the order of the log. */
  ofJob(source: EventSource, jobId: string): Promise<ParkedEvent[]> {
    return this.rows.list({ source, jobId }, { sort: { number: 1 } });
  }

  /** Jobs with a row of a source, and whether one of these rows blocks the job. */
  async jobs(source: EventSource): Promise<Map<string, boolean>> {
    const found = await this.rows.rows.aggregate<{ _id: string; blocks: boolean }>([
      { $match: { source } },
      { $group: { _id: '$jobId', blocks: { $max: '$blocks' } } },
    ]);
    return new Map(found.map(({ _id, blocks }) => [_id, blocks]));
  }

  /** Jobs of a source with a row whose next attempt is due. */
  async dueJobs(source: EventSource, now: Date): Promise<string[]> {
    return (await this.rows.rows.distinct('jobId', { source, retryAt: { $lte: now } })).map(String);
  }

  async isAny(): Promise<boolean> {
    return (await this.rows.rows.exists({})) !== null;
  }

  /** Counts the rows by their state. */
  async count(): Promise<ReadonlyMap<ParkedState, number>> {
    const [all, failed] = await Promise.all([
      this.rows.rows.countDocuments({}),
      this.rows.rows.countDocuments({ attempts: { $gte: MOST_ATTEMPTS } }),
    ]);
    return new Map([
      ['failed', failed],
      ['waiting', all - failed],
    ]);
  }
}
